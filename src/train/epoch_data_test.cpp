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

}  // namespace
}  // namespace nowhere
