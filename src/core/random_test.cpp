#include "core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace nowhere {
namespace {

TEST(Random, IsAFunctionOfItsKey) {
  Random a(7, Purpose::kAugment, {1, 2}), b(7, Purpose::kAugment, {1, 2});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, KeysDoNotShareNumbers) {
  const auto first = [](Random random) { return random.bits(); };
  const std::array<uint64_t, 6> values = {
      first({7, Purpose::kAugment, {1, 2}}), first({8, Purpose::kAugment, {1, 2}}),
      first({7, Purpose::kShuffle, {1, 2}}), first({7, Purpose::kAugment, {2, 1}}),
      first({7, Purpose::kAugment, {1}}),    first({7, Purpose::kAugment, {1, 3}})};
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(values[i], values[j]);
}

// The values are part of every saved run: a change of the generator must be noticed.
TEST(Random, KeepsItsValues) {
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix64(1), 0x910a2dec89025cc1u);
}

TEST(Random, IsUniformAndNormal) {
  Random random(1, Purpose::kAugment);
  constexpr int kDraws = 200'000;
  double sum = 0, normal_sum = 0, normal_squares = 0;
  std::array<int, 10> bins{};
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    ++bins[random.below(10)];
    const double n = random.normal();
    normal_sum += n;
    normal_squares += n * n;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);
  for (int count : bins) EXPECT_NEAR(count, kDraws / 10, 600);
  EXPECT_NEAR(normal_sum / kDraws, 0, 0.01);
  EXPECT_NEAR(normal_squares / kDraws, 1, 0.02);
}

TEST(Random, ShuffleKeepsAllValues) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 0);
  auto shuffled = values;
  Random(3, Purpose::kShuffle).shuffle(shuffled);
  EXPECT_NE(shuffled, values);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, values);
}

}  // namespace
}  // namespace nowhere
