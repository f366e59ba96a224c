#include "observe/value_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nowhere {
namespace {

std::vector<double> bucket_limits() {
  std::vector<double> positive;
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1) positive.push_back(limit);
  positive.push_back(std::numeric_limits<double>::max());
  std::vector<double> limits;
  for (auto limit = positive.rbegin(); limit != positive.rend(); ++limit) limits.push_back(-*limit);
  limits.push_back(0);
  limits.insert(limits.end(), positive.begin(), positive.end());
  return limits;
}

void fill_buckets(ValueHistogram& histogram, const std::vector<double>& limits,
                  const std::vector<int64_t>& counts) {
  const auto used = [](int64_t count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), used) - counts.begin();
  const auto last = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), used);
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i) {
    const bool widens_empty = counts[i] == 0 && histogram.counts.back() == 0;
    if (widens_empty) {
      histogram.limits.back() = limits[i];
      continue;
    }
    histogram.limits.push_back(limits[i]);
    histogram.counts.push_back(static_cast<double>(counts[i]));
  }
}

}  // namespace

ValueHistogram make_histogram(std::span<const float> values) {
  static const std::vector<double> limits = bucket_limits();
  std::vector<int64_t> counts(limits.size());
  ValueHistogram histogram{.min = std::numeric_limits<double>::max(),
                           .max = std::numeric_limits<double>::lowest()};
  for (const float single : values) {
    if (!std::isfinite(single)) continue;
    const double value = single;
    // A float is always below the last limit, which is the largest double.
    counts[static_cast<size_t>(std::upper_bound(limits.begin(), limits.end(), value) - limits.begin())]++;
    histogram.min = std::min(histogram.min, value);
    histogram.max = std::max(histogram.max, value);
    histogram.count++;
    histogram.sum += value;
    histogram.sum_squares += value * value;
  }
  if (histogram.count == 0) return {};
  fill_buckets(histogram, limits, counts);
  return histogram;
}

}  // namespace nowhere
