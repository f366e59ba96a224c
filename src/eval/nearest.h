// For each of some points the nearest of a set that is too large to be held, fed in chunks.
#pragma once

#include <torch/torch.h>

#include "eval/blocks.h"

namespace nowhere {

struct Neighbours {
  torch::Tensor distances;  // [N] float64, Euclidean; infinite where there was nothing to compare with
  torch::Tensor indices;    // [N] int64, into the references; -1 where there was nothing
};

enum class Exclude {
  kNothing,
  kOwnIndex  // leave one out: the queries are the references, and query i is not compared with reference i
};

class NearestNeighbours {
 public:
  // queries: [N,D], features or small pictures; kept as they are.
  explicit NearestNeighbours(torch::Tensor queries, Exclude exclude = Exclude::kNothing,
                             int64_t scratch_bytes = kScratchBytes);

  // references: [M,D], numbered from `first_index` on.
  void add(const torch::Tensor& references, int64_t first_index);

  // Of references equally far from a query, any may be named. A reference that equals its query has distance
  // 0.
  const Neighbours& result() const { return best_; }

 private:
  torch::Tensor queries_;
  Exclude exclude_;
  int64_t scratch_bytes_;
  torch::Tensor centre_;  // [D]
  Neighbours best_;
};

}  // namespace nowhere
