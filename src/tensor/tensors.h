// Between LibTorch's tensors and the plain values of a .pt file.
#pragma once

#include <torch/torch.h>

#include <span>
#include <string>

#include "archive/value.h"

namespace nowhere {

// A copy on the CPU, contiguous, that later changes of the tensor do not reach.
TensorData to_data(const torch::Tensor& tensor);

// Where its numbers lie. Of a contiguous one on the CPU, and valid while it is.
std::span<const uint8_t> bytes_of(const torch::Tensor& tensor);

// A copy, of the file's type. Throws a data error for one that repeats its numbers: a file of a few bytes
// could ask for any amount of memory.
torch::Tensor from_data(const TensorData& data);

// "256x3x4x4"
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace nowhere
