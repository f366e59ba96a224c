// PyTorch's .pt files, without LibTorch: the zip format of torch.save since 1.6, and to read, the one before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "archive/value.h"
#include "core/error.h"

namespace nowhere {

// Throws data_error for a file that is missing, damaged, truncated, or that holds more than plain values
// and tensors. The tensors own their storages, each read once.
Value read_torch_file(const std::filesystem::path& path);

// The same from memory, which is not needed afterwards.
Result<Value> read_torch_bytes(std::span<const uint8_t> file);

// The same value gives the same bytes. Returns when the whole file is on the disk; otherwise an Error says
// why not, and the file that was there before is unchanged. Storages are written without being copied.
void write_torch_file(const std::filesystem::path& path, const Value& value);

// Reads a file back: throws an Error unless it holds this value, byte for byte, and the reader accepts it.
// Takes no memory for the storages.
void check_torch_file(const std::filesystem::path& path, const Value& value);

}  // namespace nowhere
