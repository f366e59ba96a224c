// The format of torch.save before PyTorch 1.6: pickles one after the other, then the storages. Checkpoints
// and weights of that time are still around.
#pragma once

#include <cstdint>
#include <span>

#include "archive/value.h"
#include "core/error.h"

namespace nowhere {

// By the number that such a file begins with.
bool is_legacy_torch_file(std::span<const uint8_t> file);

// As read_torch_bytes(). The tensors own their storages.
Result<Value> read_legacy_torch_bytes(std::span<const uint8_t> file);

}  // namespace nowhere
