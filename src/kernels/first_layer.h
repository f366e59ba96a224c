// The layer of a generator that turns vectors into the first maps, 4 x 4: at each place a product with a
// matrix, a bias, and ReLU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/blocks.h"
#include "kernels/buffer.h"
#include "kernels/workers.h"

namespace nowhere {

class FirstLayer {
 public:
  static constexpr int64_t kSide = 4;

  // weights [in, 4, 4, out], bias [out]
  FirstLayer(std::span<const float> weights, std::span<const float> bias);

  int64_t in() const { return in_; }
  int64_t out() const { return panels_.channels; }
  // vectors [count, in] -> maps [count, 4, 4, out]. A map's bits depend on its vector alone.
  void make(const float* vectors, int64_t count, float* maps, const Workers& workers) const;

 private:
  const float* panel_at(int64_t place, int64_t panel) const;

  int64_t in_;
  Blocks panels_;
  std::vector<float> bias_;
  Buffer numbers_;  // [places, panels, in, width of the panel]
};

}  // namespace nowhere
