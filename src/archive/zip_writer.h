// Writes a zip archive as torch.save lays it out, by libzip: records stored as they are, each starting at a multiple of
// 64 bytes so that torch.load can map them, and the same bytes for the same records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace nowhere {

struct ZipRecord {
  std::string name;
  std::span<const uint8_t> bytes;  // outlive the writing; they are not copied
};

// To a temporary name beside `path`, which is renamed when the disk has it. On any error the temporary file is removed,
// what was at `path` is as it was, and an Error says why.
void write_zip(const std::filesystem::path& path, std::span<const ZipRecord> records);

}  // namespace nowhere
