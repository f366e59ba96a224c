// Convolutions with a 4 x 4 kernel, stride 2 and padding 1, and their transposes, on kernels of our own for
// the CPU. They can be derived any number of times: all gradients are convolutions of the same kind.
#pragma once

#include <torch/torch.h>

#include "kernels/halving_product.h"

namespace nowhere {

// How precise the factors of products are; sums are float32, and so are maps and weights.
enum class Factors { kFloat32, kBf16 };

// maps [N,C,H,W], weight [K,C,4,4] -> [N,K,H/2,W/2] in channels_last
torch::Tensor halve_maps(const torch::Tensor& maps, const torch::Tensor& weight,
                         Factors factors = Factors::kFloat32);

// The transposed convolution: maps [N,K,H,W], weight [K,C,4,4] -> [N,C,2H,2W] in channels_last
torch::Tensor double_maps(const torch::Tensor& maps, const torch::Tensor& weight,
                          Factors factors = Factors::kFloat32);

// Of either, to its weight: large maps [N,C,H,W] and small ones [N,K,H/2,W/2], one of which is the gradient
// -> [K,C,4,4] in channels_last
torch::Tensor gradient_to_weights(const torch::Tensor& large, const torch::Tensor& small,
                                  Factors factors = Factors::kFloat32);

// Whether a layer of a network's description is of this kind.
template <class Layer>
bool halves_or_doubles(const Layer& layer) {
  return layer.kernel == 4 && layer.stride == 2 && layer.padding == 1;
}

// Which kernel is faster than LibTorch's convolution, if any: on the CPU, in a shape that suits one.
HalvingKernel kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight);
HalvingKernel kernel_to_double(const torch::Tensor& maps, const torch::Tensor& weight);
// The same for products of float32, and of bf16, whatever autocast says.
HalvingKernel float32_kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight);
HalvingKernel bf16_kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight);

// What a network's layer does: the same by that kernel, in bf16 where it is that for autocast. Not for kNone.
torch::Tensor halve_maps_by(HalvingKernel kernel, const torch::Tensor& maps, const torch::Tensor& weight);
torch::Tensor double_maps_by(HalvingKernel kernel, const torch::Tensor& maps, const torch::Tensor& weight);

}  // namespace nowhere
