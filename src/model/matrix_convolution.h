// Convolutions of small maps with many channels, each as one large matrix product, on the CPU. oneDNN's
// convolutions reach about two thirds of the cores' peak speed there, a matrix product nearly all of it.
#pragma once

#include <torch/torch.h>

namespace nowhere {

// Kernel 4 x 4, stride 2, padding 1: half the size. maps [N,C,2S,2S], weight [K,C,4,4] -> [N,K,S,S]. Can be
// differentiated twice.
torch::Tensor halve_maps(const torch::Tensor& maps, const torch::Tensor& weight);

// The transposed convolution: twice the size. maps [N,K,S,S], weight [K,C,4,4] -> [N,C,2S,2S]. Can be
// differentiated twice.
torch::Tensor double_maps(const torch::Tensor& maps, const torch::Tensor& weight);

// Whether the matrix product is faster than LibTorch's convolution: float32 on the CPU, small maps, many
// rows. `small_side` is S above.
bool matrix_is_faster(const torch::Tensor& maps, int64_t small_side, const torch::Tensor& weight);

}  // namespace nowhere
