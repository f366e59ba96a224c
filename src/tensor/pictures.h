// Pictures as tensors and as images.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "data/loader.h"
#include "image/image.h"

namespace nowhere {

// [N,C,S,S] in [-1,1], on any device -> [N,S,S,C] uint8 on the CPU
torch::Tensor to_bytes(const torch::Tensor& pictures);
// [N,3,S,S] in [-1,1], on any device -> N images
std::vector<Image> to_images(const torch::Tensor& pictures);
// [N,S,S,3] uint8 -> N images
std::vector<Image> bytes_to_images(const torch::Tensor& bytes);

// [N,S,S,3] uint8 -> [N,3,S,S] in [-1,1]
torch::Tensor to_signed(const torch::Tensor& bytes);
// [N,S,S,3] uint8 -> [N,S*S*3] in [0,1]
torch::Tensor to_rows(const torch::Tensor& bytes);

// The loader's memory as a tensor, without a copy: valid until the loader's next batch. `size` is the
// pictures' side.
torch::Tensor float_batch(const Batch& batch, int64_t size);  // [N,3,S,S] in [-1,1], channels_last
torch::Tensor byte_batch(const Batch& batch, int64_t size);   // [N,S,S,3] uint8

}  // namespace nowhere
