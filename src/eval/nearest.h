// For each of some points the nearest of a set that is too large to be held, fed in chunks.
#pragma once

#include <torch/torch.h>

#include "eval/blocks.h"

namespace nowhere {

struct Neighbours {
  torch::Tensor distances;  // [N] float64, Euclidean; infinite where there was nothing to compare with
  torch::Tensor indices;    // [N] int64, into the references; -1 where there was nothing
  torch::Tensor groups;     // [N] int64, the nearest one's; -1 where there was nothing
  torch::Tensor others;     // [N] float64, to the nearest of another group; infinite where there was none
};

// The distance to the nearest over that to the nearest of another group: near 0 for a copy, near 1 for what
// resembles much that there is, as fog does. In [0,1].
torch::Tensor relative_distances(const Neighbours& neighbours);

enum class Exclude {
  kNothing,
  kOwnIndex  // leave one out: the queries are the references, and query i is not compared with reference i
};

class NearestNeighbours {
 public:
  // queries: [N,D], features or small pictures; kept as they are.
  explicit NearestNeighbours(torch::Tensor queries, Exclude exclude = Exclude::kNothing,
                             int64_t scratch_bytes = kScratchBytes);

  // references: [M,D], numbered from `first_index` on. groups: [M] int64, at least 0; without them all are of
  // one group.
  void add(const torch::Tensor& references, int64_t first_index, const torch::Tensor& groups = {});

  // Of references equally far from a query, any may be named. A reference that equals its query has distance
  // 0.
  const Neighbours& result() const { return best_; }

 private:
  void take(const Rows& queries, const Neighbours& found);

  torch::Tensor queries_;
  Exclude exclude_;
  int64_t scratch_bytes_;
  torch::Tensor centre_;  // [D]
  Neighbours best_;
};

}  // namespace nowhere
