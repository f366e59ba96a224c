// A halving convolution's weights as right factors of products: in bf16, in pairs of rows, in panels of up to
// kBlock columns.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/bf16_product.h"
#include "kernels/blocks.h"
#include "kernels/halving.h"
#include "kernels/workers.h"

namespace nowhere {

// Columns of a factor that go through a product together.
struct Bf16Panel {
  int64_t first = 0, columns = 0;
  // Where columns are phases and their channels, two phases side by side: which two (s along y), and the
  // panel's first column among theirs.
  int64_t s = 0, begin = 0;
};

std::vector<Bf16Panel> kernel_panels(const HalvingShape& shape);
std::vector<Bf16Panel> phase_panels(const HalvingShape& shape);

// Factors of one pass: [panels, kShifts, depth / 2, columns of the panel, 2].
class Bf16Factors {
 public:
  // For halving: from the four phases' channels [4 * channels] to the kernels.
  static Bf16Factors of_halving(const HalvingShape& shape, const float* weights, const Workers& workers);
  // For doubling: from the kernels, and a zero where their number is odd, to the four phases' channels. The
  // shift u has the taps of 1 - u.
  static Bf16Factors of_doubling(const HalvingShape& shape, const float* weights, const Workers& workers);

  int64_t depth() const { return depth_; }
  Bf16Matrix at(const Bf16Panel& panel, int64_t u) const { return {begin(panel, u), panel.columns}; }

 private:
  Bf16Factors(int64_t depth, int64_t columns);
  Bf16* begin(const Bf16Panel& panel, int64_t u) const;

  int64_t depth_;
  Bf16Buffer numbers_;
};

}  // namespace nowhere
