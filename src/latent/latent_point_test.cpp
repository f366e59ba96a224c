#include "latent/latent_point.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

constexpr int kSize = 8;

TEST(LatentPoint, ASeedAloneIsItsOwnVector) {
  EXPECT_EQ(latent_of({.seed = 5}, kSize), seed_latent(5, kSize));
  EXPECT_EQ(latent_of({.seed = 5, .towards = 7, .neighbour = 3}, kSize), seed_latent(5, kSize));
}

TEST(LatentPoint, TheArcEndsAtTheOtherSeed) {
  EXPECT_EQ(latent_of({.seed = 5, .towards = 7, .t = 1}, kSize), seed_latent(7, kSize));
  EXPECT_EQ(latent_of({.seed = 5, .towards = 7, .t = 0.25}, kSize),
            slerp(seed_latent(5, kSize), seed_latent(7, kSize), 0.25));
}

TEST(LatentPoint, TheNeighbourIsTakenFromThePointOnTheArcAndTruncatedLast) {
  const Latent middle = slerp(seed_latent(5, kSize), seed_latent(7, kSize), 0.5);
  EXPECT_EQ(
      latent_of({.seed = 5, .towards = 7, .t = 0.5, .neighbour = 3, .angle = 0.4, .truncation = 0.7}, kSize),
      truncated(neighbour(middle, 3, 0.4), 0.7));
}

}  // namespace
}  // namespace nowhere
