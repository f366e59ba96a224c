#include "data/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace nowhere {
namespace {

// `frames[i]` photographs of sequence i.
Photos sequences_of(const std::vector<int>& frames) {
  Photos photos;
  for (size_t i = 0; i < frames.size(); ++i)
    for (int k = 0; k < frames[i]; ++k) {
      Photo& photo = photos.all.emplace_back();
      photo.sequence = photos.sequences.add("s" + std::to_string(i));
    }
  return photos;
}

std::vector<uint32_t> all_of(const Photos& photos) {
  std::vector<uint32_t> numbers(photos.all.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i);
  return numbers;
}

TEST(Sampler, AnEpochHasEveryPhotographOnce) {
  const Photos photos = sequences_of({10, 20, 3});
  const Sampler sampler(photos, all_of(photos), {.seed = 1});
  auto first = sampler.epoch(0), second = sampler.epoch(1);
  EXPECT_EQ(first, sampler.epoch(0));
  EXPECT_NE(first, second);
  EXPECT_NE(first, Sampler(photos, all_of(photos), {.seed = 2}).epoch(0));
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, all_of(photos));
}

TEST(Sampler, RanksShareWithoutOverlap) {
  const Photos photos = sequences_of({31});
  std::set<uint32_t> seen;
  size_t total = 0;
  for (int rank = 0; rank < 4; ++rank) {
    const Sampler sampler(photos, all_of(photos), {.seed = 5, .rank = rank, .world_size = 4});
    EXPECT_EQ(sampler.size(), 7u);
    const auto order = sampler.epoch(3);
    EXPECT_EQ(order.size(), 7u);
    seen.insert(order.begin(), order.end());
    total += order.size();
  }
  EXPECT_EQ(total, 28u);
  EXPECT_EQ(seen.size(), 28u);
}

TEST(Sampler, LongSequencesAreCappedAndDrawnAnew) {
  const Photos photos = sequences_of({100, 5, 40});
  const Sampler sampler(photos, all_of(photos), {.seed = 1, .max_per_sequence_epoch = 10});
  EXPECT_EQ(sampler.size(), 25u);
  std::set<uint32_t> over_epochs;
  for (uint64_t epoch = 0; epoch < 30; ++epoch) {
    const auto order = sampler.epoch(epoch);
    ASSERT_EQ(order.size(), 25u);
    EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 25u);
    std::map<uint32_t, int> counts;
    for (uint32_t number : order) ++counts[photos.all[number].sequence];
    EXPECT_EQ(counts, (std::map<uint32_t, int>{{0, 10}, {1, 5}, {2, 10}}));
    over_epochs.insert(order.begin(), order.end());
  }
  EXPECT_GT(over_epochs.size(), 130u);  // of 145: the cap is on an epoch, not on the run
}

}  // namespace
}  // namespace nowhere
