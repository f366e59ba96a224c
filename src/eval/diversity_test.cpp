#include "eval/diversity.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "eval/birthday.h"

namespace nowhere {
namespace {

TEST(Diversity, MeanDistanceOfPointsOnALine) {
  const torch::Tensor points = torch::tensor({{0.0}, {1.0}, {4.0}});  // 1, 3, 4
  EXPECT_NEAR(mean_pairwise_distance(points), 8.0 / 3, 1e-12);
  EXPECT_NEAR(mean_pairwise_distance(points, 64), 8.0 / 3, 1e-12);
}

TEST(Diversity, RatioFollowsTheSpread) {
  torch::manual_seed(14);
  const torch::Tensor real = torch::rand({40, 12});
  const Diversity result = pairwise_diversity(real * 0.5 + 3, real, 3000);
  EXPECT_NEAR(result.ratio, 0.5, 1e-6);
  EXPECT_NEAR(result.real, torch::pdist(real.to(torch::kFloat64)).mean().item<double>(), 1e-9);
  EXPECT_NEAR(pairwise_diversity(real[0].expand({40, 12}), real).ratio, 0, 1e-6);
  EXPECT_THROW(pairwise_diversity(real, torch::ones({4, 12})), Error);
  EXPECT_THROW(pairwise_diversity(real, real.slice(0, 0, 1)), Error);
}

TEST(Birthday, ClosestPairOfPointsOnALine) {
  const torch::Tensor points = torch::tensor({{9.0}, {0.0}, {5.0}, {3.0}, {20.0}, {3.5}});
  for (int64_t bytes : {int64_t{64}, kScratchBytes}) {
    const ClosestPair pair = closest_pair(points, bytes);
    EXPECT_EQ(pair.first, 3);
    EXPECT_EQ(pair.second, 5);
    EXPECT_EQ(pair.distance, 0.5);
  }
  EXPECT_THROW(closest_pair(points.slice(0, 0, 1)), Error);
}

// A generator that knows 60 pictures: batches of 20 repeat one with probability 1 - exp(-190 / 60) = 0.96.
TEST(Birthday, FindsAGeneratorOfFewPictures) {
  torch::manual_seed(16);
  const torch::Tensor known = torch::rand({60, 40}), real = torch::rand({1000, 40});
  const torch::Tensor generated =
      known.index_select(0, torch::randint(60, {800}, torch::kLong)) + 1e-3 * torch::rand({800, 40});
  const BirthdayTest test = birthday_test(generated, real, {.batches = 40, .batch_size = 20});
  EXPECT_GE(test.with_duplicates, 32);
  EXPECT_LT(test.closest.distance, test.threshold);
  ASSERT_TRUE(test.support.has_value());
  EXPECT_GT(*test.support, 30);
  EXPECT_LT(*test.support, 150);
}

TEST(Birthday, RealPicturesHaveNoDuplicates) {
  torch::manual_seed(17);
  const torch::Tensor real = torch::rand({1000, 40});
  const BirthdayTest test = birthday_test(torch::rand({1000, 40}), real, {.batches = 10, .batch_size = 100});
  EXPECT_LE(test.with_duplicates, 4);
  EXPECT_FALSE(test.support.has_value());
}

// Batches this large and this many must share pictures.
TEST(Birthday, FewPicturesAreUsedInSeveralBatches) {
  torch::manual_seed(18);
  const torch::Tensor real = torch::rand({100, 40});
  const torch::Tensor generated = torch::rand({1, 40}).expand({100, 40});
  const BirthdayTest test = birthday_test(generated, real, {.batches = 3, .batch_size = 90});
  EXPECT_EQ(test.with_duplicates, 3);
  EXPECT_EQ(test.closest.distance, 0);
  EXPECT_THROW(birthday_test(generated, real, {.batches = 1, .batch_size = 101}), Error);
  EXPECT_THROW(birthday_test(generated, real, {.batches = 0, .batch_size = 10}), Error);
}

// Whatever the photographs are: all different, some there twice, all there many times, or nearly twice.
TEST(Birthday, FewPicturesAreFoundWhateverThePhotographsAre) {
  torch::manual_seed(19);
  const torch::Tensor different = torch::rand({500, 40}), few = torch::rand({4, 40});
  const auto many_times = [](const torch::Tensor& pictures, int64_t count) {
    return pictures.index_select(0, torch::arange(count).remainder(pictures.size(0)));
  };
  const std::vector<torch::Tensor> photographs = {
      different, torch::cat({different, different}), many_times(few, 500),
      many_times(few.slice(0, 0, 1), 500),
      torch::cat({different, different + 1e-5 * torch::rand({500, 40})})};
  for (size_t i = 0; i < photographs.size(); ++i)
    for (const double same : {0.0, 1e-3})
      for (const int64_t known : {1, 3}) {
        const torch::Tensor generated = many_times(torch::rand({known, 40}), 500);
        const BirthdayTest test =
            birthday_test(generated, photographs[i], {.batches = 20, .batch_size = 50, .same = same});
        EXPECT_EQ(test.with_duplicates, 20)
            << "photographs " << i << ", same " << same << ", known " << known;
      }
}

// Duplicates among the photographs are no reason to find some among pictures that differ.
TEST(Birthday, VariedPicturesStayVariedBesideDuplicatePhotographs) {
  torch::manual_seed(20);
  const torch::Tensor different = torch::rand({500, 40});
  for (const torch::Tensor& photographs :
       {torch::cat({different, different}), different[0].expand({1000, 40}).contiguous()}) {
    const BirthdayTest test =
        birthday_test(torch::rand({1000, 40}), photographs, {.batches = 10, .batch_size = 100, .same = 1e-3});
    EXPECT_LE(test.with_duplicates, 4);
  }
}

TEST(Birthday, PairsThatDoNotCountArePassedOver) {
  const torch::Tensor points = torch::tensor({{9.0}, {3.0}, {5.0}, {3.0}, {9.5}});
  EXPECT_EQ(closest_pair(points).distance, 0);
  EXPECT_EQ(closest_pair(points, kScratchBytes, 0).distance, 0.5);
  EXPECT_EQ(closest_pair(points, 64, 0.5).distance, 2);
  EXPECT_TRUE(std::isinf(closest_pair(points, kScratchBytes, 10).distance));
}

TEST(Birthday, SupportSize) {
  EXPECT_FALSE(support_size(9, 20, 100).has_value());
  EXPECT_NEAR(*support_size(10, 20, 100), 4950 / std::log(2), 1e-6);
  EXPECT_NEAR(*support_size(15, 20, 100), 4950 / std::log(4), 1e-6);
  EXPECT_NEAR(*support_size(20, 20, 100), 4950 / std::log(40), 1e-6);
}

}  // namespace
}  // namespace nowhere
