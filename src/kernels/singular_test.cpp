#include "kernels/singular.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace nowhere {
namespace {

// Weights of rank two with known singular values: 3 along a b', 1 along c d', with a, c and b, d orthogonal.
// Columns are (tap, channel); `right` is (channel, tap).
TEST(Singular, FindsTheLargestValueAndItsVectors) {
  const WeightsShape shape{.rows = 2, .taps = 4, .channels = 5};
  std::vector<float> weights(40), b(20), d(20);
  for (size_t i = 0; i < 20; ++i) {
    b[i] = (i % 2 == 0 ? 1.0f : -1.0f) / std::sqrt(20.0f);
    d[i] = (i < 10 ? 1.0f : -1.0f) / std::sqrt(20.0f);
  }
  const float a[] = {0.6f, 0.8f}, c[] = {0.8f, -0.6f};
  for (size_t row = 0; row < 2; ++row)
    for (size_t i = 0; i < 20; ++i) weights[row * 20 + i] = 3 * a[row] * b[i] + c[row] * d[i];
  std::vector<float> left = {1, 0}, right(20), in_order(20);
  double value = 0;
  for (int i = 0; i < 30; ++i) value = improve_singular(shape, weights.data(), {left, right}, in_order);
  EXPECT_NEAR(value, 3, 1e-5);
  EXPECT_NEAR(std::abs(left[0] * a[0] + left[1] * a[1]), 1, 1e-5);
  for (size_t tap = 0; tap < 4; ++tap)
    for (size_t channel = 0; channel < 5; ++channel) {
      EXPECT_EQ(right[channel * 4 + tap], in_order[tap * 5 + channel]);
      EXPECT_NEAR(std::abs(in_order[tap * 5 + channel]), std::abs(b[tap * 5 + channel]), 1e-4);
    }
  std::vector<float> again(20);
  EXPECT_NEAR(singular_value(shape, weights.data(), {left, right}, again), value, 1e-5);
  EXPECT_EQ(again, in_order);
}

TEST(Singular, WeightsOfZeroHaveTheValueZero) {
  const std::vector<float> weights(6);
  std::vector<float> left = {0.6f, 0.8f}, right = {1, 0, 0}, in_order(3);
  EXPECT_EQ(improve_singular({2, 1, 3}, weights.data(), {left, right}, in_order), 0);
  for (const float number : left) EXPECT_EQ(number, 0);
}

}  // namespace
}  // namespace nowhere
