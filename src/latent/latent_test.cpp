#include "latent/latent.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nowhere {
namespace {

double length(const Latent& latent) {
  double sum = 0;
  for (float value : latent) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

double cosine(const Latent& a, const Latent& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum / length(a) / length(b);
}

TEST(Latent, ASeedAlwaysGivesTheSameVector) {
  EXPECT_EQ(seed_latent(7, 64), seed_latent(7, 64));
  EXPECT_NE(seed_latent(7, 64), seed_latent(8, 64));
  // A longer vector starts with the shorter one.
  const Latent first = seed_latent(0, 4);
  EXPECT_EQ(Latent(first.begin(), first.begin() + 2), seed_latent(0, 2));
  EXPECT_EQ(seed_latent(0, 0).size(), 0u);
}

TEST(Latent, SeedsAreStandardNormal) {
  const Latent many = seed_latent(1, 100000);
  double sum = 0;
  for (float value : many) sum += static_cast<double>(value);
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(length(many) / std::sqrt(1e5), 1, 0.01);
}

TEST(Latent, SlerpKeepsItsEndsAndItsLength) {
  const Latent a = seed_latent(1, 128), b = seed_latent(2, 128);
  EXPECT_EQ(slerp(a, b, 0), a);
  EXPECT_EQ(slerp(a, b, 1), b);
  const Latent middle = slerp(a, b, 0.5);
  EXPECT_NEAR(length(middle), (length(a) + length(b)) / 2, 0.05 * length(a));
  EXPECT_NEAR(cosine(middle, a), cosine(middle, b), 0.05);
  double before = 2;
  for (double t : {0.1, 0.4, 0.7, 0.9}) {
    const double now = cosine(slerp(a, b, t), a);
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(Latent, CollinearVectorsAreJoinedByALine) {
  const Latent a = {1, 2, 3}, twice = {2, 4, 6}, opposite = {-1, -2, -3}, zero = {0, 0, 0};
  for (float value : slerp(a, opposite, 0.25)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NEAR(slerp(a, twice, 0.5)[2], 4.5, 1e-5);
  EXPECT_NEAR(slerp(a, opposite, 0.5)[0], 0, 1e-6);
  EXPECT_NEAR(slerp(zero, a, 0.5)[1], 1, 1e-6);
}

TEST(Latent, NeighboursLieAtTheGivenAngle) {
  const Latent a = seed_latent(3, 64);
  const Latent near = neighbour(a, 1, 0.4);
  EXPECT_NEAR(length(near), length(a), 1e-3);
  EXPECT_NEAR(cosine(near, a), std::cos(0.4), 1e-4);
  EXPECT_NE(near, neighbour(a, 2, 0.4));
  EXPECT_EQ(truncated({2, -4}, 0.5), (Latent{1, -2}));
}

TEST(Latent, AClosedWalkReturnsToTheStartAndPassesItsStopsExactly) {
  const std::vector<Latent> stops = {seed_latent(3, 16), seed_latent(7, 16), seed_latent(12, 16)};
  const std::vector<Latent> walk = closed_walk(stops, 5);
  ASSERT_EQ(walk.size(), 15u);
  for (size_t stop = 0; stop < stops.size(); ++stop) EXPECT_EQ(walk[stop * 5], stops[stop]);
  EXPECT_EQ(walk[14], slerp(stops[2], stops[0], 0.8));
  EXPECT_EQ(closed_walk({stops[0]}, 5), std::vector<Latent>{stops[0]});
}

TEST(Latent, SeedsNeverChange) {
  // Permalinks depend on these numbers.
  EXPECT_EQ(seed_latent(0, 3), (Latent{0.457327455f, 1.77989256f, 1.38712692f}));
  EXPECT_EQ(seed_latent(4294967295, 2), (Latent{-0.696453869f, 1.10497987f}));
}

}  // namespace
}  // namespace nowhere
