// The kernel distance between two sets of features (KID): the squared maximum mean discrepancy under the
// kernel (x.y / d + 1)^3. Unlike the Frechet distance it has no bias, so it is of use with few pictures.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace nowhere {

struct KernelDistanceOptions {
  int64_t subsets = 100;
  int64_t subset_size = 1000;  // at most as many as the smaller set has
  uint64_t seed = 0;
};

struct KernelDistance {
  double mean = 0, deviation = 0;  // over the subsets; the deviation is the population's
  int64_t subset_size = 0;         // as it was used
};

// real: [N,d], generated: [M,d]. Subset i is of the rows draw_rows(count, size, seed, Draw::kKernel..., i).
KernelDistance kernel_distance(const torch::Tensor& real, const torch::Tensor& generated,
                               const KernelDistanceOptions& options = {});

// The unbiased estimate from all rows at once. Needs the memory of the whole kernel matrices.
double squared_discrepancy(const torch::Tensor& real, const torch::Tensor& generated);

}  // namespace nowhere
