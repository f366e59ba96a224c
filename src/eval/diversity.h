// How different a generator's pictures are from each other, beside how different real ones are.
#pragma once

#include <torch/torch.h>

#include "eval/blocks.h"

namespace nowhere {

struct Diversity {
  double generated = 0, real = 0;  // mean distances of two different pictures
  double ratio = 0;                // generated / real: 1 is as diverse, 0 one picture only
};

// generated: [M,D], real: [N,D]; at least two of each.
Diversity pairwise_diversity(const torch::Tensor& generated, const torch::Tensor& real,
                             int64_t scratch_bytes = kScratchBytes);

// The mean Euclidean distance over all pairs of different rows of [N,D].
double mean_pairwise_distance(const torch::Tensor& points, int64_t scratch_bytes = kScratchBytes);

}  // namespace nowhere
