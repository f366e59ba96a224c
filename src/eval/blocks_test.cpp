#include "eval/blocks.h"

#include <gtest/gtest.h>

#include "eval/subset.h"

namespace nowhere {
namespace {

TEST(Blocks, RowsAreAllThereOnce) {
  const auto blocks = split_rows(10, 4);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].first, 8);
  EXPECT_EQ(blocks[2].count, 2);
  EXPECT_TRUE(split_rows(0, 4).empty());
}

TEST(Blocks, ScratchStaysBelowItsBytesAndUsesThem) {
  for (int64_t bytes : {100'000, 10'000'000, 1'000'000'000})
    for (int64_t dimensions : {1, 192, 2048}) {
      const auto need = [&](int64_t rows) { return 8 * (2 * rows * dimensions + 3 * rows * rows); };
      const int64_t rows = rows_within(bytes, dimensions, 2, 3);
      EXPECT_LE(need(rows), bytes);
      EXPECT_GT(need(rows + 1), bytes);
    }
  EXPECT_EQ(rows_within(10, 2048, 2, 3), 1);
}

// Far from the origin, the product's rounding would drown these distances: the centre is what saves them.
TEST(Blocks, DistancesOfPointsFarFromTheOrigin) {
  const torch::Tensor points = torch::tensor({{1e6, 1e6}, {1e6 + 3e-3, 1e6 + 4e-3}}, torch::kFloat64);
  const Block block = centred_block(points, {0, 2}, mean_row(points));
  EXPECT_NEAR(squared_distances(block, block)[0][1].item<double>(), 25e-6, 1e-12);
  EXPECT_NEAR(distances_to(block, block, torch::tensor({1, 0}))[0].item<double>(), 5e-3, 1e-9);
  EXPECT_EQ(distances_to(block, block, torch::tensor({0, 1})).sum().item<double>(), 0);
}

TEST(Blocks, PointsStayAsTheyWere) {
  const torch::Tensor points = torch::ones({2, 2}, torch::kFloat64);
  centred_block(points, {0, 2}, torch::full({2}, 5.0, torch::kFloat64));
  EXPECT_TRUE(points.equal(torch::ones({2, 2}, torch::kFloat64)));
}

TEST(Subset, DifferentRowsThatDependOnTheKeyOnly) {
  const torch::Tensor rows = draw_rows(100, 40, 1, Draw::kKernelReal, 2);
  EXPECT_EQ(rows.size(0), 40);
  EXPECT_EQ(std::get<0>(torch::_unique2(rows)).size(0), 40);
  EXPECT_GE(rows.min().item<int64_t>(), 0);
  EXPECT_LT(rows.max().item<int64_t>(), 100);
  EXPECT_TRUE(rows.equal(draw_rows(100, 40, 1, Draw::kKernelReal, 2)));
  EXPECT_FALSE(rows.equal(draw_rows(100, 40, 1, Draw::kKernelReal, 3)));
  EXPECT_FALSE(rows.equal(draw_rows(100, 40, 2, Draw::kKernelReal, 2)));
  EXPECT_FALSE(rows.equal(draw_rows(100, 40, 1, Draw::kKernelGenerated, 2)));
}

TEST(Subset, EveryRowIsDrawnEquallyOften) {
  torch::Tensor times = torch::zeros(10, torch::kFloat64);
  for (uint64_t i = 0; i < 5000; ++i)
    times.index_add_(0, draw_rows(10, 3, 0, Draw::kKernelReal, i), torch::ones(3, torch::kFloat64));
  EXPECT_LT((times - 1500).abs().max().item<double>(), 150);  // five standard deviations
}

}  // namespace
}  // namespace nowhere
