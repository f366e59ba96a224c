#include "eval/manifold.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace nowhere {
namespace {

torch::Tensor line(const std::vector<double>& places) {
  return torch::tensor(places, torch::kFloat64).unsqueeze(1);
}

TEST(Manifold, NeighboursOfPointsOnALine) {
  const torch::Tensor points = line({0, 1, 3, 7});
  for (int64_t bytes : {int64_t{64}, kScratchBytes}) {
    const torch::Tensor result = nearest_squared_distances(points, 2, mean_row(points), bytes);
    const torch::Tensor expected =
        torch::tensor({{1.0, 9.0}, {1.0, 4.0}, {4.0, 9.0}, {16.0, 36.0}}, torch::kFloat64);
    EXPECT_TRUE(torch::allclose(result, expected, 1e-12, 1e-12)) << result;
  }
}

// Real balls, k = 1: [-1,1], [0,2], [1,5], [3,11].
TEST(Manifold, ASmallCaseByHand) {
  const torch::Tensor real = line({0, 1, 3, 7});
  const torch::Tensor generated = line({0.5, 1.75, 20});  // radii 1.25, 1.25, 18.25
  const ManifoldOverlap scores =
      manifold_scores(real, generated, {.precision_neighbours = 1, .density_neighbours = 1});
  EXPECT_DOUBLE_EQ(scores.precision, 2.0 / 3);  // all but 20
  EXPECT_DOUBLE_EQ(scores.recall, 1);           // 0 and 1 by 0.5, 3 and 7 by 20
  EXPECT_DOUBLE_EQ(scores.density, 4.0 / 3);    // 0.5 in two balls, 1.75 in two
  EXPECT_DOUBLE_EQ(scores.coverage, 0.75);      // all but 7's
}

TEST(Manifold, EqualSetsOverlapAndFarSetsDoNot) {
  torch::manual_seed(8);
  const torch::Tensor real = torch::randn({60, 6});
  const ManifoldOverlap same = manifold_scores(real, real);
  EXPECT_EQ(same.precision, 1);
  EXPECT_EQ(same.recall, 1);
  EXPECT_EQ(same.coverage, 1);
  EXPECT_GE(same.density, 1);
  const ManifoldOverlap far = manifold_scores(real, real + 100);
  EXPECT_EQ(far.precision + far.recall + far.density + far.coverage, 0);
}

TEST(Manifold, OneGoodPictureIsPreciseButDoesNotRecall) {
  torch::manual_seed(9);
  const torch::Tensor real = torch::randn({200, 4});
  const ManifoldOverlap scores = manifold_scores(real, real[0] + 1e-4 * torch::randn({200, 4}));
  EXPECT_EQ(scores.precision, 1);
  EXPECT_LT(scores.recall, 0.02);
  EXPECT_LT(scores.coverage, 0.1);
}

TEST(Manifold, ScratchChangesNothing) {
  torch::manual_seed(10);
  const torch::Tensor real = torch::randn({70, 5}), generated = torch::randn({50, 5}) * 0.8;
  const ManifoldOverlap whole = manifold_scores(real, generated);
  const ManifoldOverlap parts = manifold_scores(real, generated, {.scratch_bytes = 2000});
  EXPECT_EQ(parts.precision, whole.precision);
  EXPECT_EQ(parts.recall, whole.recall);
  EXPECT_EQ(parts.density, whole.density);
  EXPECT_EQ(parts.coverage, whole.coverage);
}

TEST(Manifold, RefusesFewerPicturesThanNeighbours) {
  EXPECT_THROW(manifold_scores(torch::rand({5, 3}), torch::rand({9, 3})), Error);
  EXPECT_THROW(manifold_scores(torch::rand({9, 3}), torch::rand({5, 3})), Error);
  EXPECT_THROW(manifold_scores(torch::rand({9, 3}), torch::rand({9, 3}), {.precision_neighbours = 0}), Error);
}

}  // namespace
}  // namespace nowhere
