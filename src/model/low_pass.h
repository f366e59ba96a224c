// The low-pass filter of a network for LibTorch.
#pragma once

#include <torch/torch.h>

#include "model/choices.h"

namespace nowhere {

// The binomial filter [1,2,1] in both directions; the edges are repeated. [N,C,S,S] -> the same. On the CPU
// by a kernel of our own where it may be: LibTorch's pooling takes longer than the convolution in front of
// it.
torch::Tensor smooth_maps(const torch::Tensor& maps, Kernels kernels);

}  // namespace nowhere
