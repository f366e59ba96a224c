#include "data/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace nowhere {
namespace {

Permutation keyed(uint64_t size, uint64_t seed, uint64_t epoch = 0) {
  return Permutation(size, Random(seed, Purpose::kShuffle, {epoch, 2}));
}

std::vector<uint64_t> values_of(const Permutation& permutation) {
  std::vector<uint64_t> values(permutation.size());
  for (uint64_t i = 0; i < values.size(); ++i) values[i] = permutation(i);
  return values;
}

// Pearson's statistic of counts that should be equal.
double pearson(const std::vector<int>& counts) {
  const double expected = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0)) /
                          static_cast<double>(counts.size());
  double sum = 0;
  for (int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Permutation, EveryNumberOnce) {
  std::vector<uint64_t> sizes = {1'000, 1'023, 1'024, 1'025, 4'095, 4'097, 65'537, 100'003, 300'000};
  for (uint64_t size = 1; size <= 300; ++size) sizes.push_back(size);
  for (uint64_t size : sizes) {
    auto values = values_of(keyed(size, size));
    std::sort(values.begin(), values.end());
    for (uint64_t i = 0; i < size; ++i) ASSERT_EQ(values[i], i) << size;
  }
}

TEST(Permutation, LargeSizesStayInside) {
  for (const uint64_t size : {uint64_t{1} << 32, (uint64_t{1} << 32) - 1, (uint64_t{1} << 31) + 1}) {
    const Permutation permutation = keyed(size, 3);
    for (uint64_t i = 0; i < 10'000; ++i) ASSERT_LT(permutation(size - 1 - i), size);
  }
}

TEST(Permutation, AnotherSeedOrEpochIsAnotherOrder) {
  const auto order = values_of(keyed(1'000, 1));
  EXPECT_EQ(order, values_of(keyed(1'000, 1)));
  for (const auto& other :
       {values_of(keyed(1'000, 2)), values_of(keyed(1'000, 1, 1)), values_of(keyed(1'000, 1, 2))}) {
    int same = 0;
    for (size_t i = 0; i < order.size(); ++i) same += order[i] == other[i];
    EXPECT_LT(same, 8);  // one is to be expected
  }
}

// With 11 places and 11 numbers there are 100 degrees of freedom: 5 standard deviations above is 170.
TEST(Permutation, EveryNumberIsAsLikelyInEveryPlace) {
  constexpr uint64_t kSize = 11;
  std::vector<int> counts(kSize * kSize, 0);
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    const Permutation permutation = keyed(kSize, seed);
    for (uint64_t i = 0; i < kSize; ++i) ++counts[i * kSize + permutation(i)];
  }
  EXPECT_LT(pearson(counts), 170);
}

// Where a block of neighbours goes: 63 degrees of freedom, 63 + 5 * sqrt(126) = 119. And how neighbours lie
// to each other: a step that is more frequent than others would show as a high count.
TEST(Permutation, NeighboursAreSpread) {
  constexpr uint64_t kSize = 1'000'003, kBlocks = 64, kFirst = 100'000;
  const Permutation permutation = keyed(kSize, 5);
  std::vector<int> places(kBlocks, 0), steps(kBlocks, 0);
  uint64_t last = permutation(0);
  for (uint64_t i = 1; i < kFirst; ++i) {
    const uint64_t value = permutation(i);
    ++places[value * kBlocks / kSize];
    ++steps[(value + kSize - last) % kSize * kBlocks / kSize];
    last = value;
  }
  EXPECT_LT(pearson(places), 119);
  EXPECT_LT(pearson(steps), 119);
}

}  // namespace
}  // namespace nowhere
