// Pictures as tensors and as images.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "data/loader.h"
#include "image/image.h"

namespace nowhere {

// [N,C,S,S] in [-1,1], on any device -> [N,S,S,3] uint8 on the CPU; one channel becomes three equal ones
torch::Tensor to_bytes(const torch::Tensor& pictures);
// [N,C,S,S] in [-1,1], on any device -> N images
std::vector<Image> to_images(const torch::Tensor& pictures);
// [N,S,S,3] uint8 -> N images
std::vector<Image> bytes_to_images(const torch::Tensor& bytes);

// [N,S,S,3] uint8 -> [N,3,S,S] in [-1,1]
torch::Tensor to_signed(const torch::Tensor& bytes);
// [N,S,S,C] uint8 -> [N,S*S*C] in [0,1]
torch::Tensor to_rows(const torch::Tensor& bytes);

// [N,S,S,3] uint8 -> the same shape with the luminance of ITU-R 601 in every channel, rounded as PIL's "L"
torch::Tensor to_grey(const torch::Tensor& bytes);

// The loader's memory as a tensor, without a copy: valid until the loader's next batch. `size` is the
// pictures' side. Of one channel: a copy, the luminance.
torch::Tensor float_batch(const Batch& batch, int64_t size, int64_t channels);  // [N,C,S,S], channels_last
torch::Tensor byte_batch(const Batch& batch, int64_t size);                     // [N,S,S,3] uint8

}  // namespace nowhere
