// How values are spread, in TensorBoard's usual buckets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nowhere {

// Bucket i counts the values from limits[i - 1] up to, not including, limits[i]; the first begins at `min`. Buckets
// grow by a tenth away from 0 on both sides. Empty ones at both ends are left out, runs of them are one.
struct ValueHistogram {
  double min = 0;
  double max = 0;
  int64_t count = 0;
  double sum = 0;
  double sum_squares = 0;
  std::vector<double> limits;
  std::vector<double> counts;
};

// Infinities and NaN are not counted: they have no place on the axis.
ValueHistogram make_histogram(std::span<const float> values);

}  // namespace nowhere
