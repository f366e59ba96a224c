// Histograms with TensorBoard's usual buckets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nowhere {

// Bucket i counts the values in [limits[i - 1], limits[i]); the first starts at `min`. Buckets grow by a
// tenth with the distance from 0, on both sides. Empty buckets at both ends are left out, and adjacent empty
// ones are merged.
struct ValueHistogram {
  double min = 0;
  double max = 0;
  int64_t count = 0;
  double sum = 0;
  double sum_squares = 0;
  std::vector<double> limits;
  std::vector<double> counts;
};

// Infinities and NaN are not counted.
ValueHistogram make_histogram(std::span<const float> values);

}  // namespace nowhere
