#include "kernels/tanh.h"

#include <cmath>
#include <limits>

#include "kernels/test_targets.h"

namespace nowhere {
namespace {

class TanhKernel : public TargetTest {};

TEST_P(TanhKernel, IsTheFunctionForAllMagnitudes) {
  std::vector<float> numbers = {0.0f, -0.0f, 1e-42f, -1e-30f, 1e4f, -1e4f, 19.0f};
  for (float x = -12; x < 12; x += 0.0137f) numbers.push_back(x);
  std::vector<float> made = numbers;
  tanh_numbers(made);
  for (size_t i = 0; i < made.size(); ++i) {
    const double exact = std::tanh(static_cast<double>(numbers[i]));
    EXPECT_NEAR(made[i], exact, 5e-7 * std::abs(exact) + 1e-44) << numbers[i];
    EXPECT_LE(std::abs(made[i]), 1.0f);
  }
}

TEST_P(TanhKernel, KeepsInfinitiesInRangeAndNotANumber) {
  std::vector<float> numbers = {std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(), std::nanf("")};
  tanh_numbers(numbers);
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(numbers[1], -1);
  EXPECT_TRUE(std::isnan(numbers[2]));
}

TEST_P(TanhKernel, GivesANumberTheSameBitsAtAnyPlace) {
  const std::vector<float> numbers = test_numbers(70, 1);
  std::vector<float> all = numbers;
  tanh_numbers(all);
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::vector<float> alone = {numbers[i]};
    tanh_numbers(alone);
    EXPECT_EQ(bits_of(alone), bits_of(std::span(all).subspan(i, 1)));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TanhKernel, every_target(), target_name);

}  // namespace
}  // namespace nowhere
