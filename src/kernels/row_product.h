// Matrix products with weights that are laid out once, in which each row may have several factors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tile.h"

namespace nowhere {

// A matrix [depth, columns] laid out as the tile kernel reads it: in panels as wide as a tile.
class PackedMatrix {
 public:
  PackedMatrix(const TileKernel& kernel, std::span<const float> matrix, int64_t columns);

  int64_t depth() const { return depth_; }
  int64_t columns() const { return columns_; }
  int64_t count() const { return (columns_ + width_ - 1) / width_; }
  const float* panel(int64_t index) const { return numbers_.data() + index * depth_ * width_; }

 private:
  int64_t depth_, columns_, width_;
  std::vector<float> numbers_;  // [count, depth, width], the last panel filled up with zeros
};

// Rows at equal distances in memory. A tile may read up to kSpareRows rows behind the last one, whatever
// their numbers: it does not use them.
struct SourceRows {
  const float* first = nullptr;
  int64_t stride = 0, count = 0;
};
constexpr int64_t kSpareRows = 8;

// A product that a row contributes to: the row at `offset` numbers from it, times a matrix.
struct Factor {
  int64_t offset = 0;
  const PackedMatrix* matrix = nullptr;
};
constexpr size_t kMaxFactors = 4;

// What is done with a sum: max(bias + sum, floor).
struct Finish {
  std::span<const float> bias;  // as padded_bias() makes it
  float floor = 0;
};
std::vector<float> padded_bias(const TileKernel& kernel, std::span<const float> bias);

// Where results go: `group` rows that are `row_stride` apart, then the next group, `group_stride` behind this
// one.
struct TargetRows {
  float* first = nullptr;
  int64_t group = 1, group_stride = 0, row_stride = 0;
};

// target[r] = finish(the sum over all factors of source[r + offset] * matrix), for the columns of one panel.
// Up to kMaxFactors factors, which have the same depth and columns.
void multiply_rows(const TileKernel& kernel, const SourceRows& source, std::span<const Factor> factors,
                   int64_t panel, const Finish& finish, const TargetRows& target);

}  // namespace nowhere
