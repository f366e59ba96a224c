// Convolutions with a 4 x 4 kernel, stride 2 and padding 1, and their transposes, on kernels of our own for
// the CPU. They can be derived any number of times: all gradients are convolutions of the same kind.
#pragma once

#include <torch/torch.h>

#include "kernels/halving_product.h"

namespace nowhere {

// maps [N,C,H,W], weight [K,C,4,4] -> [N,K,H/2,W/2] in channels_last
torch::Tensor halve_maps(const torch::Tensor& maps, const torch::Tensor& weight);

// The transposed convolution: maps [N,K,H,W], weight [K,C,4,4] -> [N,C,2H,2W] in channels_last
torch::Tensor double_maps(const torch::Tensor& maps, const torch::Tensor& weight);

// Of either, to its weight: large maps [N,C,H,W] and small ones [N,K,H/2,W/2], one of which is the gradient
// -> [K,C,4,4] in channels_last
torch::Tensor gradient_to_weights(const torch::Tensor& large, const torch::Tensor& small);

// Whether a layer of a network's description is of this kind.
template <class Layer>
bool halves_or_doubles(const Layer& layer) {
  return layer.kernel == 4 && layer.stride == 2 && layer.padding == 1;
}

// Which kernel is faster than LibTorch's convolution, if any: float32 on the CPU, in a shape that suits one.
HalvingKernel kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight);
HalvingKernel kernel_to_double(const torch::Tensor& maps, const torch::Tensor& weight);

}  // namespace nowhere
