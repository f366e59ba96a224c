#include "train/loss_curves.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

// After so many log points, each with its number as the loss.
LossCurves counted(uint64_t points, LossCurves curves = {}) {
  for (uint64_t i = curves.seen(); i < points; ++i)
    curves.add(static_cast<double>(i), -static_cast<double>(i));
  return curves;
}

TEST(LossCurves, AreKeptWholeWhileTheyAreShort) {
  const LossCurves curves = counted(LossCurves::kMaxPoints);
  EXPECT_EQ(curves.g().size(), LossCurves::kMaxPoints);
  EXPECT_EQ(curves.g()[12345], 12345);
  EXPECT_EQ(curves.d()[12345], -12345);
}

TEST(LossCurves, AreThinnedEvenly) {
  for (const uint64_t points : {LossCurves::kMaxPoints + 1, size_t{333'333}, size_t{1'000'000}}) {
    const LossCurves curves = counted(points);
    EXPECT_EQ(curves.seen(), points);
    EXPECT_LE(curves.g().size(), LossCurves::kMaxPoints);
    EXPECT_GE(curves.g().size(), LossCurves::kMaxPoints / 2);
    ASSERT_EQ(curves.g().size(), curves.d().size());
    for (size_t i = 0; i < curves.g().size(); ++i)
      ASSERT_EQ(curves.g()[i], static_cast<double>(i * curves.every()));
  }
}

TEST(LossCurves, GoOnAsIfNothingHadHappened) {
  const LossCurves whole = counted(250'001);
  for (const uint64_t stop : {uint64_t{7}, uint64_t{100'000}, uint64_t{100'001}, uint64_t{200'003}}) {
    const LossCurves before = counted(stop);
    EXPECT_EQ(counted(250'001, LossCurves(before.g(), before.d(), before.seen(), before.every())), whole);
  }
}

TEST(LossCurves, OfEarlierVersionsAreThinnedWhenTheyAreRead) {
  std::vector<double> numbers(900'000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const LossCurves curves(numbers, numbers, 0, 0);
  EXPECT_EQ(curves.seen(), 900'000u);
  EXPECT_EQ(curves.every(), 16u);
  EXPECT_EQ(curves.g().size(), 56'250u);
  EXPECT_EQ(curves.g()[100], 1600);
  const LossCurves nonsense({1, 2, 3}, {1, 2, 3}, 77, 4);  // not what 77 points leave
  EXPECT_EQ(nonsense.seen(), 3u);
  EXPECT_EQ(nonsense.every(), 1u);
}

}  // namespace
}  // namespace nowhere
