#include "observe/value_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace nowhere {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(ValueHistogram, FiguresAndCounts) {
  const std::vector<float> values = {-2, -1, 0, 0, 0.5f, 3};
  const ValueHistogram histogram = make_histogram(values);
  EXPECT_EQ(histogram.min, -2);
  EXPECT_EQ(histogram.max, 3);
  EXPECT_EQ(histogram.count, 6);
  EXPECT_DOUBLE_EQ(histogram.sum, 0.5);
  EXPECT_DOUBLE_EQ(histogram.sum_squares, 4 + 1 + 0.25 + 9);
  EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0.0), 6);
}

TEST(ValueHistogram, BucketsAscendAndTheFirstAndLastAreNotEmpty) {
  const ValueHistogram histogram = make_histogram(std::vector<float>{-1e-3f, 5, 1e30f, -1e30f, 1e-20f});
  ASSERT_EQ(histogram.limits.size(), histogram.counts.size());
  EXPECT_TRUE(std::ranges::is_sorted(histogram.limits, std::less_equal<>()));
  EXPECT_GT(histogram.counts.front(), 0);
  EXPECT_GT(histogram.counts.back(), 0);
  // Five with values, and one for each gap between them.
  EXPECT_EQ(histogram.counts, (std::vector<double>{1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(ValueHistogram, EachValueLiesInItsBucket) {
  for (const float value : {-7.5f, -1e-6f, 0.0f, 1e-12f, 0.3f, 8e19f}) {
    const ValueHistogram histogram = make_histogram(std::vector<float>{-1e25f, value, 1e25f});
    const auto bucket = std::ranges::upper_bound(histogram.limits, static_cast<double>(value));
    ASSERT_NE(bucket, histogram.limits.end());
    EXPECT_EQ(histogram.counts[static_cast<size_t>(bucket - histogram.limits.begin())], 1) << value;
  }
}

TEST(ValueHistogram, WhatIsNotFiniteIsNotCounted) {
  EXPECT_EQ(make_histogram(std::vector<float>{kNan, 1, kInfinity, -kInfinity}).count, 1);
  EXPECT_EQ(make_histogram(std::vector<float>{kNan}).count, 0);
  EXPECT_TRUE(make_histogram({}).counts.empty());
}

}  // namespace
}  // namespace nowhere
