#include "plot/points.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {

namespace {

constexpr double kLargest = 1e100;  // differences and margins of larger numbers would overflow

bool can_draw(double value, bool logarithmic) {
  return std::abs(value) <= kLargest && (!logarithmic || value > 1 / kLargest);
}

// `group_of(i)` never has to be sorted: only neighbours are joined.
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
    if (!can_draw(series.x[i], plot.log_x) || !can_draw(series.y[i], plot.log_y)) continue;
    const double error = bars && can_draw(series.errors[i], false) ? std::abs(series.errors[i]) : 0;
    points.push_back({series.x[i], series.y[i], error});
  }
  return points;
}

std::vector<PlotPoint> thin_points(std::vector<PlotPoint> points, int columns, bool log_x) {
  const size_t most = static_cast<size_t>(columns) * 4;
  if (points.size() <= most) return points;
  const auto at = [&](const PlotPoint& point) { return log_x ? std::log(point.x) : point.x; };
  const auto [left, right] = std::minmax_element(points.begin(), points.end(),
                                                 [](const auto& a, const auto& b) { return a.x < b.x; });
  const double start = at(*left), width = at(*right) - start;
  if (width > 0)
    points = keep_extremes(points,
                           [&](size_t i) { return std::floor((at(points[i]) - start) / width * columns); });
  if (width > 0 && points.size() <= most * 4) return points;
  // The curve goes to and fro, or straight up: by number then.
  const size_t together = (points.size() + most - 1) / most;
  return keep_extremes(points, [&](size_t i) { return i / together; });
}

}  // namespace nowhere
