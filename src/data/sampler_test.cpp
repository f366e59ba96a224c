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

// Runs that were saved go on in the order that they had.
TEST(Sampler, TheOrderOfSmallSetsIsPinned) {
  const Photos photos = sequences_of({4, 8});
  EXPECT_EQ(Sampler(photos, all_of(photos), {.seed = 3}).epoch(2),
            (std::vector<uint32_t>{7, 10, 3, 5, 2, 6, 11, 1, 0, 8, 4, 9}));
  EXPECT_EQ(Sampler(photos, all_of(photos), {.seed = 3, .max_per_sequence_epoch = 3}).epoch(1),
            (std::vector<uint32_t>{4, 0, 11, 1, 3, 9}));
}

// What is computed place by place keeps the promises of what is shuffled in memory.
TEST(LargeSampler, AnEpochHasEveryPhotographOnce) {
  const Photos photos = sequences_of({100, 200, 33});
  const Sampler sampler(photos, all_of(photos), {.seed = 1, .large_from = 1});
  auto first = sampler.epoch(0), second = sampler.epoch(1);
  EXPECT_EQ(first, sampler.epoch(0));
  EXPECT_NE(first, second);
  EXPECT_NE(first, Sampler(photos, all_of(photos), {.seed = 2, .large_from = 1}).epoch(0));
  EXPECT_NE(first, Sampler(photos, all_of(photos), {.seed = 1}).epoch(0)) << "it is another order";
  EXPECT_EQ(first, Sampler::of_first(photos, 333, {.seed = 1, .large_from = 1}).epoch(0));
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, all_of(photos));
}

TEST(LargeSampler, TakesPartAsSelected) {
  const Photos photos = sequences_of({50});
  const std::vector<uint32_t> selected = {3, 7, 8, 20, 49};
  auto order = Sampler(photos, selected, {.seed = 1, .large_from = 5}).epoch(4);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, selected);
  EXPECT_EQ(Sampler(photos, selected, {.shuffle = false, .large_from = 5}).epoch(4), selected);
}

TEST(LargeSampler, RanksDealOutOneOrder) {
  const Photos photos = sequences_of({1003});
  const auto whole = Sampler(photos, all_of(photos), {.seed = 5, .large_from = 1}).epoch(3);
  for (const int ranks : {2, 3, 8, 64}) {
    const auto share = whole.size() / static_cast<size_t>(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      const Sampler sampler(photos, all_of(photos),
                            {.seed = 5, .rank = rank, .world_size = ranks, .large_from = 1});
      ASSERT_EQ(sampler.size(), share);
      const EpochOrder order = sampler.order(3);
      ASSERT_EQ(order.size(), share);
      for (size_t i = 0; i < share; ++i)
        ASSERT_EQ(order[i], whole[i * static_cast<size_t>(ranks) + static_cast<size_t>(rank)]);
    }
  }
}

TEST(LargeSampler, LongSequencesAreCappedAndDrawnAnew) {
  Photos photos = sequences_of({100, 5, 40});
  for (int i = 0; i < 3; ++i) photos.all.emplace_back();  // of no sequence: never left out
  const Sampler sampler(photos, all_of(photos), {.seed = 1, .max_per_sequence_epoch = 10, .large_from = 1});
  EXPECT_EQ(sampler.size(), 28u);
  std::map<uint32_t, int> over_epochs;
  for (uint64_t epoch = 0; epoch < 400; ++epoch) {
    const auto order = sampler.epoch(epoch);
    ASSERT_EQ(order.size(), 28u);
    EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 28u);
    std::map<uint32_t, int> counts;
    for (uint32_t number : order) ++counts[photos.all[number].sequence];
    EXPECT_EQ(counts, (std::map<uint32_t, int>{{0, 10}, {1, 5}, {2, 10}, {kNoString, 3}}));
    for (uint32_t number : order) ++over_epochs[number];
  }
  ASSERT_EQ(over_epochs.size(), 148u);
  // A frame of the first sequence takes part in 40 of 400 epochs: 6 standard deviations.
  for (uint32_t number = 0; number < 100; ++number) {
    EXPECT_GT(over_epochs[number], 4);
    EXPECT_LT(over_epochs[number], 76);
  }
}

TEST(LargeSampler, RanksShareCappedSequencesToo) {
  const Photos photos = sequences_of({100, 5, 40});
  std::set<uint32_t> seen;
  for (int rank = 0; rank < 5; ++rank) {
    const auto order = Sampler(photos, all_of(photos),
                               {.max_per_sequence_epoch = 10, .rank = rank, .world_size = 5, .large_from = 1})
                           .epoch(7);
    EXPECT_EQ(order.size(), 5u);
    seen.insert(order.begin(), order.end());
  }
  EXPECT_EQ(seen.size(), 25u);
}

}  // namespace
}  // namespace nowhere
