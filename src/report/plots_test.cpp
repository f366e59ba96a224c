#include "report/plots.h"

#include <gtest/gtest.h>

#include "report/scores_json.h"
#include "report/test_scores.h"

namespace nowhere {
namespace {

TEST(ReportPlots, TheEpochsHaveErrorBarsAndALevelToReach) {
  Scores scores = full_scores();
  const auto plot = log_likelihood_plot(*scores.parzen);
  ASSERT_TRUE(plot);
  ASSERT_EQ(plot->series.size(), 2u);
  EXPECT_EQ(plot->series[0].x, (std::vector<double>{1, 2}));
  EXPECT_EQ(plot->series[0].y, (std::vector<double>{1072, 1271}));
  EXPECT_EQ(plot->series[0].errors, (std::vector<double>{49, 47}));
  EXPECT_EQ(plot->series[1].y, (std::vector<double>{3490.2, 3490.2}));
  scores.parzen->baseline.reset();
  EXPECT_EQ(log_likelihood_plot(*scores.parzen)->series.size(), 1u);
  scores.parzen->epochs.reset();
  EXPECT_FALSE(log_likelihood_plot(*scores.parzen));
}

TEST(ReportPlots, OneEpochIsEnough) {
  ParzenScores parzen = *full_scores().parzen;
  parzen.epochs = ParzenEpochs{0.2, {{1, {1072, kNotMeasured}}}};
  const auto plot = log_likelihood_plot(parzen);
  ASSERT_TRUE(plot);
  ASSERT_EQ(plot->series.size(), 1u);
  EXPECT_EQ(plot->series[0].errors, std::vector<double>{0});
}

TEST(ReportPlots, TheJsonGivesTheSamePlotAsTheScores) {
  const Scores scores = full_scores();
  const auto direct = log_likelihood_plot(*scores.parzen);
  const auto read = log_likelihood_plot(scores_to_json(scores), "scores.json");
  ASSERT_TRUE(direct && read);
  EXPECT_EQ(read->title, direct->title);
  ASSERT_EQ(read->series.size(), direct->series.size());
  for (size_t i = 0; i < direct->series.size(); ++i) {
    EXPECT_EQ(read->series[i].name, direct->series[i].name);
    EXPECT_EQ(read->series[i].x, direct->series[i].x);
    EXPECT_EQ(read->series[i].y, direct->series[i].y);
    EXPECT_EQ(read->series[i].errors, direct->series[i].errors);
  }
  EXPECT_FALSE(log_likelihood_plot(boost::json::object(), "scores.json"));
}

}  // namespace
}  // namespace nowhere
