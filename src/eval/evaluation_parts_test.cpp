#include "eval/evaluation_parts.h"

#include <gtest/gtest.h>

#include <numbers>

#include "report/pixel_range.h"
#include "report/sections.h"

namespace nowhere {
namespace {

// [count,768]: `known` pictures again and again
torch::Tensor repeated(int64_t known, int64_t count) {
  return torch::rand({known, 768}).index_select(0, torch::arange(count).remainder(known));
}

Tone variety(const torch::Tensor& generated, const torch::Tensor& photographs) {
  Scores scores;
  scores.collapse = collapse_scores(generated, photographs, 0);
  return collapse_section(scores).answer.tone;
}

TEST(CollapseScores, FewPicturesAreACollapseWhateverThePhotographsAre) {
  torch::manual_seed(31);
  const torch::Tensor different = torch::rand({400, 768});
  // Each of them twice; a slow drive, whose frames hardly differ; and four photographs only.
  const torch::Tensor slow = different.slice(0, 0, 40).repeat_interleave(10, 0) + 1e-4 * different;
  for (const torch::Tensor& photographs :
       {different, torch::cat({different, different}), slow, repeated(4, 400)}) {
    for (const int64_t known : {1, 3})
      EXPECT_EQ(variety(repeated(known, 400), photographs), Tone::kPoor) << known;
    // Not quite the same every time, but the eye does not see it.
    EXPECT_EQ(variety(repeated(3, 400) + 1e-4 * torch::rand({400, 768}), photographs), Tone::kPoor);
  }
  EXPECT_NE(variety(torch::rand({400, 768}), torch::cat({different, different})), Tone::kPoor);
}

// The same pictures with pixels from -1 to 1 and sigmas twice as wide, against the shift that the report
// uses.
TEST(ParzenScores, TheOtherRangeOfPixelsIsAShift) {
  torch::manual_seed(32);
  const torch::Tensor points = torch::rand({30, 48}), samples = torch::rand({50, 48}),
                      photographs = torch::rand({40, 48});
  const auto scores_of = [&](const std::vector<double>& grid, const auto& pixels) {
    ParzenWindow window(pixels(points), grid), baseline(pixels(points), grid);
    window.add(pixels(samples));
    baseline.add(pixels(photographs));
    return parzen_scores(window, baseline, grid, 10);
  };
  const ParzenScores unit = scores_of({0.1, 0.3, 1}, [](const torch::Tensor& rows) { return rows; });
  const ParzenScores wide = scores_of({0.2, 0.6, 2}, [](const torch::Tensor& rows) { return rows * 2 - 1; });
  EXPECT_EQ(unit.dimensions, 48);
  EXPECT_EQ(unit.baseline->photographs, 40);
  const ParzenScores shifted = in_signed_pixels(unit);
  EXPECT_NEAR(shifted.test.mean, wide.test.mean, 1e-4);
  EXPECT_NEAR(shifted.test.error, wide.test.error, 1e-4);
  EXPECT_NEAR(shifted.baseline->test.mean, wide.baseline->test.mean, 1e-4);
  EXPECT_EQ(shifted.sigma, wide.sigma);
  EXPECT_EQ(shifted.baseline->sigma, wide.baseline->sigma);
}

TEST(ParzenScores, ThePhotographsSigmaMayLieOnTheEdgeToo) {
  torch::manual_seed(33);
  const torch::Tensor points = torch::rand({30, 48});
  const std::vector<double> grid = {0.01, 0.3, 1};
  ParzenWindow window(points, grid), baseline(points, grid);
  window.add(torch::rand({50, 48}));
  baseline.add(points);  // the very pictures: the narrowest window is the best
  const ParzenScores scores = parzen_scores(window, baseline, grid, 10);
  EXPECT_FALSE(scores.sigma_on_edge);
  EXPECT_TRUE(scores.baseline->sigma_on_edge);
}

TEST(WassersteinScores, TheFloorIsTheDistanceOfTheHalves) {
  torch::manual_seed(34);
  // Two drives, one dark and one bright, in turns.
  torch::Tensor real = torch::randint(0, 80, {40, 32, 32, 3}).to(torch::kUInt8);
  real.slice(0, 1, 40, 2).add_(120);
  const torch::Tensor generated = torch::randint(0, 200, {40, 32, 32, 3}).to(torch::kUInt8);
  FloorHalves drives{{}, {}, true}, mixed{{}, {}, false};
  for (int64_t i = 0; i < 20; ++i) {
    drives.first.push_back(2 * i);
    drives.second.push_back(2 * i + 1);
    mixed.first.push_back(i);
    mixed.second.push_back(i + 20);
  }
  const WassersteinScores apart = wasserstein_scores(real, drives, generated),
                          alike = wasserstein_scores(real, mixed, generated);
  EXPECT_TRUE(apart.floor_by_sequence);
  EXPECT_FALSE(alike.floor_by_sequence);
  EXPECT_EQ(apart.pictures, 20);
  EXPECT_EQ(apart.mean, alike.mean);  // what the samples are compared with is the same
  EXPECT_GT(apart.mean_floor, 0);
}

}  // namespace
}  // namespace nowhere
