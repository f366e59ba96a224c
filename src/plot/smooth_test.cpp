#include "plot/smooth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace nowhere {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Smooth, IsAnAverageWithoutBias) {
  const std::vector<double> constant(5, 3.0);
  for (const double value : smooth(constant, 0.9)) EXPECT_NEAR(value, 3, 1e-12);
  const std::vector<double> values = {1, 2, kNan, 4};
  EXPECT_EQ(smooth(std::vector<double>{1, 2, 4}, 0), (std::vector<double>{1, 2, 4}));
  const auto half = smooth(values, 0.5);
  EXPECT_DOUBLE_EQ(half[1], (0.25 * 1 + 0.5 * 2) / 0.75);
  EXPECT_EQ(half[2], half[1]);
  EXPECT_DOUBLE_EQ(half[3], (0.125 * 1 + 0.25 * 2 + 0.5 * 4) / 0.875);
  EXPECT_TRUE(std::isnan(smooth(std::vector<double>{kNan}, 0.5)[0]));
  EXPECT_TRUE(smooth({}, 0.5).empty());
  EXPECT_THROW(smooth(values, 1), Error);
  EXPECT_THROW(smooth(values, kNan), Error);
}

}  // namespace
}  // namespace nowhere
