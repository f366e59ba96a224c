#include "eval/frechet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace nowhere {
namespace {

Gaussian gaussian(const torch::Tensor& features) {
  FeatureMoments moments;
  moments.add(features);
  return moments.gaussian();
}

TEST(Frechet, MomentsOfASmallCase) {
  const Gaussian result = gaussian(torch::tensor({{0.0, 0.0}, {2.0, 4.0}}));
  EXPECT_TRUE(result.mean.equal(torch::tensor({1.0, 2.0}, torch::kFloat64)));
  EXPECT_TRUE(result.covariance.equal(torch::tensor({{2.0, 4.0}, {4.0, 8.0}}, torch::kFloat64)));
}

TEST(Frechet, ChunksChangeNothing) {
  torch::manual_seed(2);
  const torch::Tensor features = torch::randn({50, 7}, torch::kFloat64) + 1000;
  FeatureMoments moments;
  moments.add(features.slice(0, 0, 1));
  moments.add(features.slice(0, 1, 30));
  moments.add(features.slice(0, 30, 30));
  moments.add(features.slice(0, 30, 50));
  EXPECT_EQ(moments.count(), 50);
  const Gaussian whole = gaussian(features), parts = moments.gaussian();
  EXPECT_TRUE(torch::allclose(parts.mean, whole.mean, 1e-13, 0));
  EXPECT_TRUE(torch::allclose(parts.covariance, whole.covariance, 1e-10, 1e-10));
  EXPECT_TRUE(torch::allclose(whole.covariance, torch::cov(features.t()), 1e-10, 1e-10));
}

// Covariances with the same axes: the distance is that of means and of deviations.
TEST(Frechet, DiagonalCovariances) {
  const auto diagonal = [](double x, double y) {
    return torch::diag(torch::tensor({x, y}, torch::kFloat64));
  };
  const Gaussian a{torch::tensor({0.0, 0.0}, torch::kFloat64), diagonal(1, 4)};
  const Gaussian b{torch::tensor({3.0, 4.0}, torch::kFloat64), diagonal(9, 16)};
  EXPECT_NEAR(frechet_distance(a, b), 25 + 4 + 4, 1e-12);
  EXPECT_NEAR(frechet_distance(a, a), 0, 1e-12);
}

TEST(Frechet, FewerPicturesThanFeaturesAreNoTrouble) {
  torch::manual_seed(3);
  const torch::Tensor features = torch::randn({20, 64});
  const Gaussian a = gaussian(features), b = gaussian(torch::randn({20, 64}) * 2 + 1);
  EXPECT_NEAR(frechet_distance(a, a), 0, 1e-5);
  EXPECT_NEAR(frechet_distance(a, b), frechet_distance(b, a), 1e-5);
  EXPECT_GT(frechet_distance(a, b), 64 * 0.5);
  // A shift is nothing but a difference of means.
  EXPECT_NEAR(frechet_distance(a, gaussian(features + 2)), 64 * 4, 1e-3);
}

TEST(Frechet, RefusesTooFewAndUnlikeAndBrokenFeatures) {
  FeatureMoments moments;
  EXPECT_THROW(moments.gaussian(), Error);
  moments.add(torch::rand({1, 3}));
  EXPECT_THROW(moments.gaussian(), Error);
  EXPECT_THROW(moments.add(torch::rand({1, 4})), Error);
  EXPECT_THROW(moments.add(torch::full({1, 3}, std::numeric_limits<double>::infinity())), Error);
}

}  // namespace
}  // namespace nowhere
