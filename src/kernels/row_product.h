// Rows of numbers times weights that were laid out once: matrix products in which a row may have several factors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tile.h"

namespace nowhere {

// A matrix [depth, columns] as a tile kernel reads it.
class Panels {
 public:
  Panels(const TileKernel& kernel, std::span<const float> matrix, int64_t columns);

  int64_t depth() const { return depth_; }
  int64_t columns() const { return columns_; }
  int64_t count() const { return (columns_ + width_ - 1) / width_; }
  const float* panel(int64_t index) const { return numbers_.data() + index * depth_ * width_; }

 private:
  int64_t depth_, columns_, width_;
  std::vector<float> numbers_;  // [count, depth, width], the last panel filled up with zeros
};

// Rows that stand evenly in memory; behind the last, a tile may read (and not use) kSpareRows more.
struct SourceRows {
  const float* first = nullptr;
  int64_t stride = 0, count = 0;
};
constexpr int64_t kSpareRows = 8;

// What a row is multiplied with: not itself, but its neighbour at an offset, in numbers.
struct Factor {
  int64_t offset = 0;
  const Panels* panels = nullptr;
};

// What becomes of a sum: max(bias + sum, floor).
struct Finish {
  std::span<const float> bias;  // as padded_bias() makes it
  float floor = 0;
};
std::vector<float> padded_bias(const TileKernel& kernel, std::span<const float> bias);

// Where results go: groups of rows, that stand `row_stride` apart, groups `group_stride`.
struct TargetRows {
  float* first = nullptr;
  int64_t group = 1, group_stride = 0, row_stride = 0;
};

// target[r] = finish(the sum over all factors of source[r + offset] * panels), for the columns of one panel. Factors have the
// same depth and columns.
void multiply_rows(const TileKernel& kernel, const SourceRows& source, std::span<const Factor> factors,
                   int64_t panel, const Finish& finish, const TargetRows& target);

}  // namespace nowhere
