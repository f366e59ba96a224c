// Between LibTorch's tensors and modules and the plain values of a .pt file.
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

// A copy, of the file's type.
torch::Tensor from_data(const TensorData& data);

// Parameters and buffers by name, as Python's state_dict gives them.
Dict state_dict(const torch::nn::Module& network);

// Copies a state dict into the network, whatever its tensors' float type is. A prefix "module." (of distributed runs) is
// passed over. Throws a data error naming the tensor that is missing, unknown or of another shape, and leaves the
// network as it was; `where` says which file.
void load_state_dict(torch::nn::Module& network, const Value& state, const std::string& where);

// "256x3x4x4"
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace nowhere
