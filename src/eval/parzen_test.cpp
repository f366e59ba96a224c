#include "eval/parzen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"

namespace nowhere {
namespace {

const double kLogRoot = 0.5 * std::log(2 * std::numbers::pi);

torch::Tensor all_at_once(const torch::Tensor& points, const torch::Tensor& centres,
                          const std::vector<double>& sigmas) {
  ParzenWindow window(points, sigmas);
  window.add(centres);
  return window.result();
}

TEST(Parzen, OneCentreIsOneGaussian) {
  const auto result = all_at_once(torch::tensor({{0.25, 0.5}}), torch::tensor({{0.75, 0.5}}), {0.5, 1.0});
  ASSERT_EQ(result.sizes(), (std::vector<int64_t>{2, 1}));
  EXPECT_NEAR(result[0][0].item<double>(), -0.5 - 2 * (std::log(0.5) + kLogRoot), 1e-12);
  EXPECT_NEAR(result[1][0].item<double>(), -0.125 - 2 * kLogRoot, 1e-12);
}

TEST(Parzen, TwoCentresAreTheirMean) {
  const auto result = all_at_once(torch::tensor({{0.0}}), torch::tensor({{1.0}, {2.0}}), {1.0});
  const double expected = std::log((std::exp(-0.5) + std::exp(-2.0)) / 2) - kLogRoot;
  EXPECT_NEAR(result[0][0].item<double>(), expected, 1e-12);
}

TEST(Parzen, ChunksAndScratchChangeNothing) {
  torch::manual_seed(1);
  const torch::Tensor points = torch::rand({37, 20}), centres = torch::rand({53, 20});
  const std::vector<double> sigmas = logspace(0.01, 1, 5);
  const torch::Tensor expected = all_at_once(points, centres, sigmas);
  ParzenWindow window(points, sigmas, 4096);  // blocks of a few rows
  for (int64_t first : {0, 1, 20, 40})
    window.add(centres.slice(0, first, first == 0 ? 1 : first == 1 ? 20 : first + 20));
  EXPECT_EQ(window.centres(), 53);
  EXPECT_TRUE(torch::allclose(window.result(), expected, 1e-12, 1e-9));
}

// From the definition, one pair after the other.
double by_hand(const torch::Tensor& point, const torch::Tensor& centres, double sigma) {
  double sum = 0;
  for (int64_t j = 0; j < centres.size(0); ++j)
    sum += std::exp(-(point - centres[j]).square().sum().item<double>() / (2 * sigma * sigma));
  return std::log(sum / static_cast<double>(centres.size(0))) -
         static_cast<double>(centres.size(1)) * (std::log(sigma) + kLogRoot);
}

// Chunks come as they come; the number of centres is the number that was asked for.
TEST(Parzen, ExactlyAsManyCentresAsAskedFor) {
  torch::manual_seed(2);
  const torch::Tensor points = torch::rand({3, 6}, torch::kFloat64),
                      centres = torch::rand({600, 6}, torch::kFloat64);
  for (const int64_t count : {1, 100, 256, 257, 300, 512, 600, 900}) {
    ParzenWindow window(points, {0.4});
    for (const int64_t first : {0, 256, 512})
      window.add_up_to(count, centres.slice(0, first, std::min<int64_t>(first + 256, 600)));
    ASSERT_EQ(window.centres(), std::min<int64_t>(count, 600));
    for (int64_t i = 0; i < 3; ++i)
      EXPECT_NEAR(window.result()[0][i].item<double>(), by_hand(points[i], centres.slice(0, 0, count), 0.4),
                  1e-9)
          << count;
  }
}

// exp(-d^2 / (2 sigma^2)) is far below the smallest number; its logarithm is not.
TEST(Parzen, FarPointsHaveFiniteLikelihoods) {
  const auto result = all_at_once(torch::zeros({1, 100}), torch::ones({3, 100}), {0.01});
  EXPECT_NEAR(result[0][0].item<double>(), -100 / (2 * 1e-4) - 100 * (std::log(0.01) + kLogRoot), 1e-5);
}

TEST(Parzen, TheNearestCentreMayComeLast) {
  const torch::Tensor points = torch::zeros({1, 4}), far = torch::full({1, 4}, 100.0),
                      near = torch::full({1, 4}, 0.1);
  ParzenWindow window(points, {0.05});
  window.add(far);
  window.add(near);
  const auto expected = all_at_once(points, torch::cat({near, far}), {0.05});
  EXPECT_NEAR(window.result().item<double>(), expected.item<double>(), 1e-9);
}

TEST(Parzen, RefusesWhatCannotBeScored) {
  EXPECT_THROW(ParzenWindow(torch::rand({2, 3}), {}), Error);
  EXPECT_THROW(ParzenWindow(torch::rand({2, 3}), {0.0}), Error);
  EXPECT_THROW(ParzenWindow(torch::rand({2, 3, 4}), {1.0}), Error);
  EXPECT_THROW(ParzenWindow(torch::rand({0, 3}), {1.0}), Error);
  ParzenWindow window(torch::rand({2, 3}), {1.0});
  EXPECT_THROW(window.result(), Error);
  EXPECT_THROW(window.add(torch::rand({2, 4})), Error);
  EXPECT_THROW(window.add(torch::full({1, 3}, std::numeric_limits<double>::quiet_NaN())), Error);
}

TEST(Parzen, LogspaceKeepsItsEnds) {
  const auto values = logspace(0.01, 1, 3);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0], 0.01);
  EXPECT_NEAR(values[1], 0.1, 1e-15);
  EXPECT_EQ(values[2], 1);
  EXPECT_EQ(logspace(0.2, 1, 1), std::vector<double>{0.2});
}

TEST(Parzen, TheBestSigmaMayLieOnTheEdge) {
  EXPECT_EQ(best_sigma({1, 3, 2}).index, 1u);
  EXPECT_FALSE(best_sigma({1, 3, 2}).on_edge);
  EXPECT_TRUE(best_sigma({4, 3, 2}).on_edge);
  EXPECT_EQ(best_sigma({1, 2, 3}).index, 2u);
  EXPECT_TRUE(best_sigma({1, 2, 3}).on_edge);
}

TEST(Parzen, MeanAndStandardError) {
  const MeanAndError result = mean_and_standard_error(torch::tensor({1.0, 3.0, 1.0, 3.0}));
  EXPECT_EQ(result.mean, 2);
  EXPECT_EQ(result.standard_error, 0.5);
}

}  // namespace
}  // namespace nowhere
