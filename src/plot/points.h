// The visible points of a series. Used inside this folder only.
#pragma once

#include <span>
#include <vector>

#include "plot/plot.h"

namespace nowhere {

struct PlotPoint {
  double x = 0, y = 0, error = 0;
};

// The points that can be drawn. Throws when the lengths of x, y and errors differ.
std::vector<PlotPoint> drawable_points(const Series& series, const Plot& plot);

// The same curve with at most about 16 points for each pixel column: of neighbours in one column the first,
// the lowest, the highest and the last are kept, so that no spike is lost.
std::vector<PlotPoint> thin_points(std::vector<PlotPoint> points, int columns);

}  // namespace nowhere
