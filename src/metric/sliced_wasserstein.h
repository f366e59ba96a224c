// Sliced Wasserstein distance between two sets of pictures, on patches of a Laplacian pyramid: how unlike the
// two are at each scale, without any network's help.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace nowhere {

// real, fake: [N,C,S,S] in [-1,1], as many of each. One number a level, from fine to coarse, times 1000; 0 is
// equal. The same patches and directions are drawn every time.
std::vector<double> sliced_wasserstein(const torch::Tensor& real, const torch::Tensor& fake);

}  // namespace nowhere
