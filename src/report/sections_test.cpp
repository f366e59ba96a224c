#include "report/sections.h"

#include <gtest/gtest.h>

#include "report/test_scores.h"

namespace nowhere {
namespace {

TEST(Sections, OnlyInceptionGivesFidAndKid) {
  EXPECT_EQ(frechet_name({.network = "inception.ts", .inception = true}), "FID");
  EXPECT_EQ(kernel_name({.network = "inception.ts", .inception = true}), "KID");
  EXPECT_EQ(frechet_name({.network = "model.ts"}), "FD (model.ts)");
  EXPECT_EQ(kernel_name({.network = "model.ts"}), "KD (model.ts)");
}

TEST(Sections, OtherFeaturesAreNotComparable) {
  Scores scores = full_scores();
  EXPECT_NE(features_section(scores).weakness.find("cannot be compared"), std::string::npos);
  scores.features->inception = true;
  EXPECT_EQ(features_section(scores).weakness.find("cannot be compared"), std::string::npos);
}

TEST(Sections, ANetworkThatTrainedTheGeneratorIsNoIndependentJudge) {
  Scores scores = full_scores();
  EXPECT_EQ(features_section(scores).about.find("also trained the generator"), std::string::npos);
  scores.features->trained_it = true;
  EXPECT_NE(
      features_section(scores).about.find("This network also trained the generator: the score flatters"),
      std::string::npos);
  EXPECT_NE(features_section(scores).weakness.find("independent judge"), std::string::npos);
}

TEST(Sections, WhatWasMeasuredHasLinesAndAnAnswer) {
  for (const ReportSection& section : report_sections(full_scores())) {
    EXPECT_TRUE(section.missing.empty()) << section.title;
    EXPECT_FALSE(section.lines.empty()) << section.title;
    EXPECT_FALSE(section.answer.words.empty()) << section.title;
    EXPECT_FALSE(section.weakness.empty()) << section.title;
  }
}

TEST(Sections, WhatWasNotMeasuredSaysHowToGetIt) {
  for (const ReportSection& section : report_sections({})) {
    EXPECT_FALSE(section.missing.empty()) << section.title;
    EXPECT_TRUE(section.lines.empty()) << section.title;
  }
  EXPECT_NE(features_section({}).missing.find("--features"), std::string::npos);
}

TEST(Sections, TheWorstSpaceDecidesAboutCopying) {
  Scores scores = full_scores();
  EXPECT_EQ(memorisation_section(scores).answer.tone, Tone::kGood);
  scores.memorisation.push_back({.space = "features", .nearer_than_1st_percentile = 0.5});
  const ReportSection section = memorisation_section(scores);
  EXPECT_EQ(section.answer.tone, Tone::kPoor);
  ASSERT_EQ(section.lines.size(), 6u);
  EXPECT_FALSE(section.lines[2].meaning.empty());
  EXPECT_TRUE(section.lines[3].meaning.empty());
}

TEST(Sections, PhotographsThatWereTrainedOnAreAWarning) {
  Scores scores = full_scores();
  EXPECT_EQ(parzen_section(scores).about.find("flatters"), std::string::npos);
  EXPECT_EQ(memorisation_section(scores).weakness.find("lenient"), std::string::npos);
  EXPECT_NE(memorisation_section(scores).weakness.find("blurred"), std::string::npos);
  scores.memorisation[0].relative = true;
  EXPECT_EQ(memorisation_section(scores).weakness.find("blurred"), std::string::npos);
  EXPECT_NE(memorisation_section(scores).about.find("of another sequence"), std::string::npos);
  scores.data.held_out = HeldOut::kNothing;
  scores.data.by_sequence = false;
  EXPECT_NE(memorisation_section(scores).weakness.find("lenient"), std::string::npos);
  EXPECT_NE(parzen_section(scores).about.find("flatters"), std::string::npos);
}

// Without its training photographs nobody can say that a run copies none of them.
TEST(Sections, OtherPhotographsThanItsOwnAcquitNobodyOfCopying) {
  Scores scores = full_scores();
  scores.data.train_seen = {3, 1000};
  const ReportSection section = memorisation_section(scores);
  EXPECT_EQ(section.answer.tone, Tone::kNote);
  for (const ScoreLine& line : section.lines) EXPECT_EQ(line.verdict.tone, Tone::kNote);
}

TEST(Sections, TheFloorSaysWhatItIsMeasuredBetween) {
  Scores scores = full_scores();
  EXPECT_NE(wasserstein_section(scores).about.find("two sets of 512 photographs from different sequences"),
            std::string::npos);
  scores.wasserstein->floor_by_sequence = false;
  EXPECT_NE(wasserstein_section(scores).about.find("of the same sequences"), std::string::npos);
}

TEST(Sections, TheLikelihoodNamesItsPixelsAndTheOtherRange) {
  const ReportSection section = parzen_section(full_scores());
  ASSERT_EQ(section.lines.size(), 3u);
  EXPECT_NE(section.lines[0].meaning.find("pixels from 0 to 1"), std::string::npos);
  EXPECT_EQ(section.lines[1].value, "-5,394 ± 22");
  EXPECT_EQ(section.lines[1].reference, "-5,027 ± 20");
  EXPECT_EQ(section.lines[1].verdict.words, "the same score, 8,517 lower, at sigma 0.334");
}

TEST(Sections, DuplicatesGiveTheNumberOfDifferentPictures) {
  Scores scores = full_scores();
  scores.collapse->birthday = CollapseScores::Birthday{100, 50, 25, 7141.6};
  EXPECT_NE(collapse_section(scores).lines[1].meaning.find("about 7,100 different"), std::string::npos);
  scores.collapse->birthday = CollapseScores::Birthday{100, 50, 50, 1.0};
  EXPECT_NE(collapse_section(scores).lines[1].meaning.find("about 1 different picture would"),
            std::string::npos);
  scores.collapse->birthday = CollapseScores::Birthday{100, 50, 3, {}};
  EXPECT_EQ(collapse_section(scores).lines[1].meaning.find("about"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
