// Where two sets of features overlap, each set being taken for the union of balls around its points that
// reach to their k-th neighbour: precision and recall (Kynkaanniemi et al. 2019), density and coverage (Naeem
// et al. 2020).
#pragma once

#include <torch/torch.h>

#include "eval/blocks.h"

namespace nowhere {

struct ManifoldOptions {
  int64_t precision_neighbours = 3;  // k of precision and recall
  int64_t density_neighbours = 5;    // k of density and coverage
  int64_t scratch_bytes = kScratchBytes;
};

struct ManifoldOverlap {
  double precision = 0;  // share of generated points in any ball of a real one
  double recall = 0;     // share of real points in any ball of a generated one
  double density = 0;    // in how many real balls a generated point lies, over k; may exceed 1
  double coverage = 0;   // share of real balls that hold a generated point
};

// real: [N,d], generated: [M,d]; both more than the larger k. Balls are closed.
ManifoldOverlap manifold_scores(const torch::Tensor& real, const torch::Tensor& generated,
                                const ManifoldOptions& options = {});

// Squared distances of each point to its `count` nearest other points, ascending: [N,count].
torch::Tensor nearest_squared_distances(const torch::Tensor& points, int64_t count,
                                        const torch::Tensor& centre, int64_t scratch_bytes);

}  // namespace nowhere
