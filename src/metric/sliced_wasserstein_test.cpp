#include "metric/sliced_wasserstein.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(SlicedWasserstein, IsZeroForEqualsAndGrowsWithTheDifference) {
  torch::manual_seed(4);
  const torch::Tensor smooth = torch::nn::functional::interpolate(
      torch::rand({64, 3, 8, 8}), torch::nn::functional::InterpolateFuncOptions()
                                      .size(std::vector<int64_t>{32, 32})
                                      .mode(torch::kBilinear)
                                      .align_corners(false));
  const torch::Tensor noise = torch::randn({64, 3, 32, 32});
  const auto equal = sliced_wasserstein(smooth, smooth);
  ASSERT_EQ(equal.size(), 3u);  // 32, 16, 8
  for (double level : equal) EXPECT_EQ(level, 0);
  const auto near = sliced_wasserstein(smooth, smooth + 0.02 * noise),
             far = sliced_wasserstein(smooth, noise);
  EXPECT_GT(near[0], 0);
  EXPECT_GT(far[0], near[0]);
  EXPECT_GT(far[1], near[1]);
}

TEST(SlicedWasserstein, TakesGreyPictures) {
  torch::manual_seed(4);
  const torch::Tensor grey = torch::rand({16, 1, 32, 32}), other = torch::zeros({16, 1, 32, 32});
  for (double level : sliced_wasserstein(grey, grey)) EXPECT_EQ(level, 0);
  EXPECT_GT(sliced_wasserstein(grey, other)[0], 0);
}

}  // namespace
}  // namespace nowhere
