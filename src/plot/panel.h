// A plot prepared for drawing: its visible points, its axes and its legend. Used inside this folder only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plot/axis.h"
#include "plot/plot.h"
#include "plot/points.h"

namespace nowhere {

// Pixels, for the font that the script names.
constexpr int kLetter = 8, kLine = 22, kEdge = 20;
constexpr size_t kMaxNameLetters = 60;  // in the legend
constexpr size_t kMaxCaptionLines = 8;

struct Curve {
  const Series* series;
  std::vector<PlotPoint> points;
  size_t colour = 0;
  bool listed = false;  // in the legend
};

struct CaptionLine {
  std::string text;
  bool bold = false;
};

// Refers to the plot, which must outlive it.
struct Panel {
  const Plot* plot;
  std::vector<Curve> curves;  // in the order of drawing: the faint ones first
  Axis x, y;
  std::vector<Tick> x_ticks, y_ticks;
  bool empty = true;
  int legend_columns = 1, legend_rows = 0;
  std::vector<CaptionLine> caption;

  int height() const;  // in pixels, with the caption
};

Panel make_panel(const Plot& plot);

// On one line, with the letters that the font has: gnuplot draws others as boxes as large as the picture.
std::string plot_text(const std::string& text);

}  // namespace nowhere
