#include "report/plots.h"

#include <gtest/gtest.h>

#include "report/test_scores.h"

namespace nowhere {
namespace {

TEST(ReportPlots, TheEpochsHaveErrorBarsAndALevelToReach) {
  const Scores scores = full_scores();
  const Plot plot = parzen_epochs_plot(*scores.parzen->epochs, scores.parzen->baseline);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[0].x, (std::vector<double>{1, 2}));
  EXPECT_EQ(plot.series[0].y, (std::vector<double>{1072, 1271}));
  EXPECT_EQ(plot.series[0].errors, (std::vector<double>{49, 47}));
  EXPECT_EQ(plot.series[1].y, (std::vector<double>{3490.2, 3490.2}));
  EXPECT_EQ(parzen_epochs_plot(*scores.parzen->epochs).series.size(), 1u);
}

TEST(ReportPlots, OneEpochIsEnough) {
  const Scores scores = full_scores();
  const ParzenEpochs one{0.2, {{1, {1072, kNotMeasured}}}};
  const Plot plot = parzen_epochs_plot(one, scores.parzen->baseline);
  ASSERT_EQ(plot.series.size(), 1u);
  EXPECT_EQ(plot.series[0].errors, std::vector<double>{0});
}

}  // namespace
}  // namespace nowhere
