#include "train/epoch_data.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

EpochData usual() {
  return {.seed = ~uint64_t{0},
          .batch_size = 8,
          .photographs = 64,
          .max_per_sequence_epoch = 0,
          .digest = "0123456789abcdef0123456789abcdef"};
}

Value saved(const EpochData& data) {
  Dict loader, checkpoint;
  add_epoch_data(loader, data);
  checkpoint.add("loader", loader);
  return checkpoint;
}

TEST(EpochData, ComesBackFromACheckpoint) {
  EXPECT_EQ(differences(epoch_data_of(saved(usual())), usual()), "");
  const EpochData back = epoch_data_of(saved(usual()));
  EXPECT_EQ(back.seed, usual().seed);
  EXPECT_EQ(back.digest, usual().digest);
}

TEST(EpochData, DifferencesAreNamed) {
  EpochData other = usual();
  other.seed = 3;
  EXPECT_EQ(differences(usual(), other), "the seed was 18446744073709551615 and is 3");
  other = usual();
  other.digest = "f";
  EXPECT_EQ(differences(usual(), other), "the photographs are others, or in another order");
  other.max_per_sequence_epoch = 5;
  other.batch_size = 16;
  EXPECT_EQ(differences(usual(), other),
            "the batch size was 8 and is 16, --max-per-sequence-epoch was 0 and is 5 "
            "and the photographs are others, or in another order");
  other = usual();
  other.photographs = 65;
  other.digest = "f";
  EXPECT_EQ(differences(usual(), other), "the number of photographs was 64 and is 65");
}

TEST(EpochData, WhatACheckpointDoesNotSayIsNoDifference) {
  EXPECT_EQ(differences(epoch_data_of(Dict()), usual()), "");
  EXPECT_EQ(differences(epoch_data_of(saved({.batch_size = 8})), usual()), "");
}

TEST(EpochData, AnotherNumberOfProcessesGoesOnWhereTheEpochWas) {
  EpochData two = usual(), three = usual();
  two.ranks = 2;
  three.ranks = 3;
  EXPECT_EQ(differences(two, three), "the number of processes was 2 and is 3");
  // 2 batches of 2 x 8 are 32 photographs; 3 x 8 = 24 at a time, so the next batch begins at 48.
  const auto later = go_on_with_other_ranks(two, three, 2);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->batches, 2u);
  EXPECT_EQ(later->skipped, 16);
  const auto earlier = go_on_with_other_ranks(three, two, 2);
  ASSERT_TRUE(earlier);
  EXPECT_EQ(earlier->batches, 3u);
  EXPECT_EQ(earlier->skipped, 0);
  three.seed = 3;
  EXPECT_FALSE(go_on_with_other_ranks(two, three, 2));
}

TEST(EpochData, CheckpointsFromBeforeThereWereRanksHadOneProcess) {
  EXPECT_EQ(epoch_data_of(saved(usual())).ranks, 1);
}

}  // namespace
}  // namespace nowhere
