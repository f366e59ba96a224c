#include "eval/kernel_distance.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"

namespace nowhere {
namespace {

TEST(KernelDistance, ASmallCaseByHand) {
  const torch::Tensor x = torch::tensor({{1.0, 0.0}, {0.0, 1.0}}),
                      y = torch::tensor({{2.0, 0.0}, {0.0, 0.0}});
  // Within x: (0/2+1)^3 = 1. Within y: 1. Between: (1+1)^3, 1, 1, 1, mean 2.75.
  EXPECT_NEAR(squared_discrepancy(x, y), 1 + 1 - 2 * 2.75, 1e-12);
}

TEST(KernelDistance, HasNoBias) {
  torch::manual_seed(5);
  const KernelDistanceOptions options{.subsets = 50, .subset_size = 100};
  const torch::Tensor real = torch::randn({2000, 8});
  const KernelDistance same = kernel_distance(real, torch::randn({2000, 8}), options);
  EXPECT_LT(std::abs(same.mean), 0.02);
  EXPECT_GT(same.deviation, 0);
  EXPECT_GT(kernel_distance(real, torch::randn({2000, 8}) + 0.5, options).mean, 10 * std::abs(same.mean));
}

TEST(KernelDistance, SubsetsAreNoLargerThanTheSets) {
  torch::manual_seed(6);
  const torch::Tensor real = torch::randn({40, 8}), generated = torch::randn({40, 8}) + 1;
  const KernelDistance result = kernel_distance(real, generated, {.subsets = 3});
  EXPECT_EQ(result.subset_size, 40);
  EXPECT_NEAR(result.mean, squared_discrepancy(real, generated), 1e-10);  // every subset is the whole
  EXPECT_NEAR(result.deviation, 0, 1e-10);
}

TEST(KernelDistance, TheSeedDecides) {
  torch::manual_seed(7);
  const torch::Tensor real = torch::randn({200, 8}), generated = torch::randn({200, 8});
  const auto mean = [&](uint64_t seed) {
    return kernel_distance(real, generated, {.subsets = 3, .subset_size = 20, .seed = seed}).mean;
  };
  EXPECT_EQ(mean(1), mean(1));
  EXPECT_NE(mean(1), mean(2));
}

TEST(KernelDistance, RefusesWhatCannotBeScored) {
  EXPECT_THROW(kernel_distance(torch::rand({1, 3}), torch::rand({5, 3})), Error);
  EXPECT_THROW(kernel_distance(torch::rand({5, 3}), torch::rand({5, 4})), Error);
  EXPECT_THROW(kernel_distance(torch::rand({5, 3}), torch::rand({5, 3}), {.subsets = 0}), Error);
  EXPECT_THROW(
      kernel_distance(torch::rand({5, 3}), torch::full({5, 3}, std::numeric_limits<double>::quiet_NaN())),
      Error);
}

}  // namespace
}  // namespace nowhere
