#include "eval/nearest.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "eval/memorisation.h"

namespace nowhere {
namespace {

TEST(Nearest, ASmallCase) {
  NearestNeighbours nearest(torch::tensor({{0.0, 0.0}, {10.0, 0.0}}));
  EXPECT_EQ(nearest.result().indices[0].item<int64_t>(), -1);
  EXPECT_TRUE(nearest.result().distances.isinf().all().item<bool>());
  nearest.add(torch::tensor({{3.0, 4.0}, {-6.0, 8.0}}), 0);
  nearest.add(torch::tensor({{10.0, 1.0}}), 2);
  EXPECT_TRUE(nearest.result().indices.equal(torch::tensor({0, 2})));
  EXPECT_TRUE(nearest.result().distances.equal(torch::tensor({5.0, 1.0}, torch::kFloat64)));
}

TEST(Nearest, ACopyIsAtDistanceZero) {
  torch::manual_seed(11);
  const torch::Tensor references = torch::rand({40, 300});
  NearestNeighbours nearest(references.slice(0, 10, 20));
  nearest.add(references, 0);
  EXPECT_TRUE(nearest.result().indices.equal(torch::arange(10, 20)));
  EXPECT_EQ(nearest.result().distances.max().item<double>(), 0);
}

TEST(Nearest, ChunksAndScratchChangeNothing) {
  torch::manual_seed(12);
  const torch::Tensor queries = torch::rand({30, 8}), references = torch::rand({100, 8});
  NearestNeighbours whole(queries), parts(queries, Exclude::kNothing, 1000);
  whole.add(references, 0);
  parts.add(references.slice(0, 70, 100), 70);
  parts.add(references.slice(0, 0, 70), 0);
  EXPECT_TRUE(parts.result().indices.equal(whole.result().indices));
  EXPECT_TRUE(torch::allclose(parts.result().distances, whole.result().distances, 1e-12, 0));
}

TEST(Nearest, LeavesOneOutWhereverTheChunksBegin) {
  torch::manual_seed(13);
  const torch::Tensor points = torch::rand({50, 6});
  const torch::Tensor distances =
      torch::cdist(points.to(torch::kFloat64), points.to(torch::kFloat64)).fill_diagonal_(1e9);
  const torch::Tensor expected = distances.argmin(1);
  for (int64_t bytes : {int64_t{700}, kScratchBytes}) {
    NearestNeighbours nearest(points, Exclude::kOwnIndex, bytes);
    for (int64_t first = 0; first < 50; first += 7) nearest.add(points.slice(0, first, first + 7), first);
    EXPECT_TRUE(nearest.result().indices.equal(expected));
    EXPECT_GT(nearest.result().distances.min().item<double>(), 0);
  }
}

TEST(Nearest, OneAloneHasNoNeighbour) {
  NearestNeighbours nearest(torch::rand({1, 3}), Exclude::kOwnIndex);
  nearest.add(torch::rand({1, 3}), 0);
  EXPECT_EQ(nearest.result().indices.item<int64_t>(), -1);
  EXPECT_THROW(nearest.add(torch::rand({1, 4}), 1), Error);
}

TEST(Nearest, TheNearestOfAnotherGroupWhateverTheChunks) {
  torch::manual_seed(14);
  const torch::Tensor queries = torch::rand({20, 5}), references = torch::rand({60, 5});
  const torch::Tensor groups = torch::randint(4, {60}, torch::kInt64);
  const torch::Tensor distances = torch::cdist(queries.to(torch::kFloat64), references.to(torch::kFloat64));
  const auto [nearest_distance, nearest_index] = distances.min(1);
  const torch::Tensor group = groups.index_select(0, nearest_index);
  const torch::Tensor same = groups.unsqueeze(0) == group.unsqueeze(1);
  const torch::Tensor expected = std::get<0>(distances.masked_fill(same, 1e9).min(1));
  for (int64_t bytes : {int64_t{900}, kScratchBytes})
    for (int64_t chunk : {60, 7, 1}) {
      NearestNeighbours nearest(queries, Exclude::kNothing, bytes);
      for (int64_t first = 0; first < 60; first += chunk)
        nearest.add(references.slice(0, first, first + chunk), first, groups.slice(0, first, first + chunk));
      EXPECT_TRUE(nearest.result().groups.equal(group));
      EXPECT_TRUE(torch::allclose(nearest.result().others, expected, 1e-9, 0));
    }
}

TEST(Nearest, OneGroupAloneHasNoOther) {
  NearestNeighbours nearest(torch::rand({2, 3}));
  nearest.add(torch::rand({5, 3}), 0);
  EXPECT_TRUE(nearest.result().others.isinf().all().item<bool>());
}

Neighbours neighbours(const std::vector<double>& distances, const std::vector<int64_t>& indices,
                      const std::vector<double>& others = {}) {
  return {torch::tensor(distances, torch::kFloat64), torch::tensor(indices), torch::Tensor(),
          torch::tensor(others, torch::kFloat64)};
}

TEST(Memorisation, WhatIsNearToEverythingIsNoCopy) {
  // Fog, a copy, a copy of what is there twice, a new picture.
  const Neighbours samples = neighbours({1, 0.5, 0, 10}, {0, 1, 2, 3}, {1.1, 12, 0, 12});
  const Neighbours held_out = neighbours({8, 9, 2}, {0, 0, 0}, {10, 10, 2.5});
  const Memorisation plain = judge_memorisation(samples, held_out, 1);
  EXPECT_EQ(plain.share_below_smallest, 3.0 / 4);
  const Memorisation relative = judge_memorisation(samples, held_out, 2, Nearness::kRelative);
  EXPECT_EQ(relative.smallest_held_out, 0.8);
  EXPECT_EQ(relative.share_below_smallest, 2.0 / 4);
  EXPECT_EQ(relative.worst[0].sample, 2);
  EXPECT_EQ(relative.worst[1].sample, 1);
}

TEST(Memorisation, ThresholdsAndWorstPairs) {
  std::vector<double> real(101);
  for (size_t i = 0; i < real.size(); ++i) real[i] = 200 - static_cast<double>(i);  // 100 to 200
  const Neighbours held_out = neighbours(real, std::vector<int64_t>(101, 0));
  const Memorisation result = judge_memorisation(
      neighbours({150, 99, 100.5, 3, 100, 101, 120, 130}, {1, 2, 3, 4, 5, 6, 7, 8}), held_out, 2);
  EXPECT_EQ(result.smallest_held_out, 100);
  EXPECT_EQ(result.percentile_held_out, 101);
  EXPECT_EQ(result.share_below_smallest, 2.0 / 8);
  EXPECT_EQ(result.share_below_percentile, 4.0 / 8);
  ASSERT_EQ(result.worst.size(), 2u);
  EXPECT_EQ(result.worst[0].sample, 3);
  EXPECT_EQ(result.worst[0].training, 4);
  EXPECT_EQ(result.worst[0].distance, 3);
  EXPECT_EQ(result.worst[1].sample, 1);
}

TEST(Memorisation, FewPicturesAreInterpolated) {
  const Memorisation result = judge_memorisation(neighbours({1}, {0}), neighbours({4, 2}, {0, 0}), 5);
  EXPECT_EQ(result.smallest_held_out, 2);
  EXPECT_DOUBLE_EQ(result.percentile_held_out, 2.02);
  EXPECT_EQ(result.worst.size(), 1u);
  EXPECT_THROW(judge_memorisation(neighbours({}, {}), neighbours({1}, {0}), 5), Error);
}

}  // namespace
}  // namespace nowhere
