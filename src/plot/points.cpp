#include "plot/points.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {

namespace {

constexpr double kMaxValue = 1e100;  // differences and margins of larger numbers would overflow

bool can_draw(double value) {
  return std::abs(value) <= kMaxValue;
}

// Groups need not be sorted: only neighbours are joined.
template <class GroupOf>
std::vector<PlotPoint> keep_extremes(const std::vector<PlotPoint>& points, GroupOf group_of) {
  std::vector<PlotPoint> kept;
  for (size_t first = 0, end = 0; first < points.size(); first = end) {
    size_t low = first, high = first;
    for (end = first + 1; end < points.size() && group_of(end) == group_of(first); ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::vector<size_t> stay = {first, std::min(low, high), std::max(low, high), end - 1};
    stay.erase(std::unique(stay.begin(), stay.end()), stay.end());
    for (const size_t i : stay) kept.push_back(points[i]);
  }
  return kept;
}

}  // namespace

std::vector<PlotPoint> drawable_points(const Series& series, const Plot& plot) {
  const bool bars = !series.errors.empty();
  if (series.x.size() != series.y.size() || (bars && series.errors.size() != series.y.size()))
    throw Error(
        fmt::format("plot \"{}\", series \"{}\": {} x, {} y and {} error values; there must be one each",
                    printable_text(plot.title), printable_text(series.name), series.x.size(), series.y.size(),
                    series.errors.size()));
  std::vector<PlotPoint> points;
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (!can_draw(series.x[i]) || !can_draw(series.y[i])) continue;
    const double error = bars && can_draw(series.errors[i]) ? std::abs(series.errors[i]) : 0;
    points.push_back({series.x[i], series.y[i], error});
  }
  return points;
}

std::vector<PlotPoint> thin_points(std::vector<PlotPoint> points, int columns) {
  const size_t max_points = static_cast<size_t>(columns) * 4;
  if (points.size() <= max_points) return points;
  const auto [left, right] = std::minmax_element(points.begin(), points.end(),
                                                 [](const auto& a, const auto& b) { return a.x < b.x; });
  const double start = left->x, width = right->x - start;
  if (width > 0)
    points =
        keep_extremes(points, [&](size_t i) { return std::floor((points[i].x - start) / width * columns); });
  if (width > 0 && points.size() <= max_points * 4) return points;
  // The curve jumps to and fro, or is vertical: thin it by number instead.
  const size_t together = (points.size() + max_points - 1) / max_points;
  return keep_extremes(points, [&](size_t i) { return i / together; });
}

}  // namespace nowhere
