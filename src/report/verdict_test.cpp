#include "report/verdict.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Verdict, DistancesAreJudgedByTheirFloor) {
  EXPECT_EQ(judge_wasserstein(17, 16, false).tone, Tone::kGood);
  EXPECT_EQ(judge_wasserstein(64, 16, false).tone, Tone::kFair);
  EXPECT_EQ(judge_wasserstein(64, 16, false).words, "4.0 times what photographs score");
  EXPECT_EQ(judge_wasserstein(250, 16, false).tone, Tone::kPoor);
  EXPECT_EQ(judge_wasserstein(64, kNotMeasured, false).tone, Tone::kNote);
  EXPECT_EQ(judge_wasserstein(kNotMeasured, 16, false).words, "not measured");
}

// Twice as far as two different drives is far; twice as far as two neighbouring frames is near.
TEST(Verdict, AFloorBetweenSequencesIsHighAlready) {
  EXPECT_EQ(judge_wasserstein(32, 16, false).tone, Tone::kGood);
  EXPECT_EQ(judge_wasserstein(32, 16, true).tone, Tone::kFair);
  EXPECT_EQ(judge_wasserstein(80, 16, false).tone, Tone::kFair);
  EXPECT_EQ(judge_wasserstein(80, 16, true).tone, Tone::kPoor);
  EXPECT_EQ(judge_wasserstein(20, 16, true).tone, Tone::kGood);
}

TEST(Verdict, InceptionHasAScaleOfItsOwn) {
  FeatureScores scores{.frechet = 20, .frechet_floor = 8};
  EXPECT_EQ(judge_frechet(scores).tone, Tone::kFair);
  scores.inception = true;
  EXPECT_EQ(judge_frechet(scores).tone, Tone::kGood);
  scores.frechet = 200;
  EXPECT_EQ(judge_frechet(scores).tone, Tone::kPoor);
}

TEST(Verdict, AKernelDistanceWithinItsSpreadIsNoDifference) {
  EXPECT_EQ(judge_kernel({.kernel_mean = 0.001, .kernel_deviation = 0.002}).tone, Tone::kGood);
  EXPECT_EQ(judge_kernel({.kernel_mean = 0.5, .kernel_deviation = 0.002}).tone, Tone::kNote);
  EXPECT_EQ(judge_kernel({.inception = true, .kernel_mean = 0.5, .kernel_deviation = 0.002}).tone,
            Tone::kPoor);
}

TEST(Verdict, ParzenIsJudgedByRealPhotographs) {
  ParzenScores scores{.test = {3000, 20}};
  EXPECT_EQ(judge_parzen(scores, 64).tone, Tone::kNote);
  scores.baseline = ParzenScores::Baseline{{3030, 20}, 0.2};
  EXPECT_EQ(judge_parzen(scores, 64).tone, Tone::kGood);
  scores.baseline->test.mean = 3600;
  EXPECT_EQ(judge_parzen(scores, 64).tone, Tone::kFair);
  EXPECT_EQ(judge_parzen(scores, 0).tone, Tone::kNote);
  scores.baseline->test.mean = 9000;
  EXPECT_EQ(judge_parzen(scores, 64).tone, Tone::kPoor);
  scores.baseline->test.mean = 1000;  // the samples beat photographs: not praised
  EXPECT_EQ(judge_parzen(scores, 64).tone, Tone::kNote);
}

TEST(Verdict, ASigmaOnTheEdgeIsReported) {
  EXPECT_EQ(judge_sigma({.sigma = 0.1, .sigma_on_edge = true}).tone, Tone::kPoor);
  EXPECT_EQ(judge_sigma({.sigma = 0.1}).tone, Tone::kGood);
  ParzenScores scores{.sigma = 0.2, .baseline = ParzenScores::Baseline{{1, 1}, 0.1, true}};
  EXPECT_EQ(judge_sigma(scores).tone, Tone::kFair);
  EXPECT_NE(judge_sigma(scores).words.find("at its edge"), std::string::npos);
  scores.baseline->sigma_on_edge = false;
  EXPECT_EQ(judge_sigma(scores).tone, Tone::kGood);
}

TEST(Verdict, SharesAreJudgedByWhatPhotographsReach) {
  EXPECT_EQ(judge_share(Share::kRecall, 0.3, 0.3).tone, Tone::kGood);
  EXPECT_EQ(judge_share(Share::kRecall, 0.3, kNotMeasured).tone, Tone::kFair);
  // Photographs of other sequences may lie outside of what the training set spans.
  EXPECT_EQ(judge_share(Share::kRecall, 0.01, 0.02).tone, Tone::kNote);
  EXPECT_EQ(judge_share(Share::kDensity, 0.3, kNotMeasured).tone, Tone::kPoor);
  EXPECT_EQ(judge_share(Share::kCoverage, kNotMeasured, 0.9).tone, Tone::kNote);
}

TEST(Verdict, Copying) {
  EXPECT_EQ(judge_nearness({.nearer_than_1st_percentile = 0.01}).tone, Tone::kGood);
  EXPECT_EQ(judge_nearness({.nearer_than_1st_percentile = 0.1}).tone, Tone::kFair);
  EXPECT_EQ(judge_nearness({.nearer_than_1st_percentile = 0.9}).tone, Tone::kPoor);
  EXPECT_EQ(judge_nearest_of_all({.nearer_than_any = 0.2}).tone, Tone::kPoor);
  EXPECT_EQ(judge_nearest_of_all({}).tone, Tone::kNote);
  EXPECT_EQ(judge_median({.sample_median = 1, .held_out_median = 2}).tone, Tone::kPoor);
}

TEST(Verdict, Collapse) {
  EXPECT_EQ(judge_diversity(0.95).tone, Tone::kGood);
  EXPECT_EQ(judge_diversity(0.3).tone, Tone::kPoor);
  EXPECT_EQ(judge_birthday({.batch_size = 50, .batches = 20}).tone, Tone::kGood);
  EXPECT_EQ(judge_birthday({.batch_size = 50, .batches = 20, .batches_with_duplicate = 20}).tone,
            Tone::kPoor);
  EXPECT_EQ(judge_birthday({50, 20, 3, {}}).tone, Tone::kFair);
  EXPECT_EQ(judge_birthday({}).tone, Tone::kNote);
}

TEST(Verdict, TheGravestIsKept) {
  const Verdict good{Tone::kGood, "a"}, poor{Tone::kPoor, "b"}, note{Tone::kNote, "c"};
  EXPECT_EQ(gravest(good, poor).words, "b");
  EXPECT_EQ(gravest(poor, good).words, "b");
  EXPECT_EQ(gravest(note, good).words, "a");
}

TEST(Verdict, AnAnswerBeginsWithItsWord) {
  const YesOrNo words{"yes", "roughly", "no"};
  EXPECT_EQ(answer_yes_or_no({Tone::kFair, "2 times"}, words).words, "roughly: 2 times");
  EXPECT_EQ(answer_yes_or_no({Tone::kNote, "2 times"}, words).words, "2 times");
}

}  // namespace
}  // namespace nowhere
