#include "plot/axis.h"

#include <gtest/gtest.h>

#include "core/text.h"
#include "plot/points.h"

namespace nowhere {
namespace {

std::string labels(const Axis& axis, int wanted = 5) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks(wanted)) labels.push_back(tick.label);
  return join(labels, " | ");
}

TEST(PlotAxis, LabelsAreRound) {
  EXPECT_EQ(labels({0, 1}), "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1.0");
  EXPECT_EQ(labels({-2100, 30}), "-2,000 | -1,500 | -1,000 | -500 | 0");
  EXPECT_EQ(labels({0, 9000}), "0 | 2,000 | 4,000 | 6,000 | 8,000");
  EXPECT_EQ(labels({0, 450'000}), "0 | 100 k | 200 k | 300 k | 400 k");
  EXPECT_EQ(labels({0, 2'400'000}), "0 | 0.5 M | 1.0 M | 1.5 M | 2.0 M");
  EXPECT_EQ(labels({1'000'000, 1'000'040}), "1,000,000 | 1,000,010 | 1,000,020 | 1,000,030 | 1,000,040");
  EXPECT_EQ(labels({0, 4e-9}), "0 | 1e-09 | 2e-09 | 3e-09 | 4e-09");
}

TEST(PlotAxis, IsNeverEmpty) {
  for (const double value : {0.0, 5.0, -3e20, 1e-95, 1e100}) {
    const Axis axis = Axis{value, value}.widened(0.05);
    EXPECT_LT(axis.low, value);
    EXPECT_GT(axis.high, value);
    EXPECT_FALSE(axis.ticks(5).empty());
  }
}

TEST(PlotPoints, ThinningKeepsTheShape) {
  std::vector<PlotPoint> line(100'000);
  for (size_t i = 0; i < line.size(); ++i) line[i] = {static_cast<double>(i), static_cast<double>(i % 7), 0};
  line[50'001].y = -9;
  line[50'003].y = 99;
  const auto thin = thin_points(line, 100);
  EXPECT_LE(thin.size(), 404u);
  EXPECT_EQ(thin.front().x, 0);
  EXPECT_EQ(thin.back().x, 99'999);
  double low = 0, high = 0, before = -1;
  for (const PlotPoint& point : thin) {
    low = std::min(low, point.y);
    high = std::max(high, point.y);
    EXPECT_GT(point.x, before);
    before = point.x;
  }
  EXPECT_EQ(low, -9);
  EXPECT_EQ(high, 99);
  EXPECT_EQ(thin_points({line.begin(), line.begin() + 300}, 100).size(), 300u);
}

// Neighbours that are never in the same column, and a curve that is only one column wide.
TEST(PlotPoints, AnyOrderIsThinned) {
  std::vector<PlotPoint> jumps(100'000), wall(100'000);
  for (size_t i = 0; i < jumps.size(); ++i) {
    jumps[i] = {static_cast<double>(i * 7919 % 1000), static_cast<double>(i), 0};
    wall[i] = {1, static_cast<double>(i), 0};
  }
  EXPECT_LE(thin_points(jumps, 100).size(), 1600u);
  EXPECT_LE(thin_points(wall, 100).size(), 1600u);
}

}  // namespace
}  // namespace nowhere
