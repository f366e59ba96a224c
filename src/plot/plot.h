// Curves as PNG files, drawn by the program gnuplot, which may be missing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"

namespace nowhere {

// Values that are not finite are left out.
struct Series {
  std::string name;  // in the legend; none when empty
  std::vector<double> x, y;
  std::vector<double> errors = {};  // half the height of the error bars; empty: none
  // Raw values, drawn lightly behind the others in the colour of the series of the same name. The highest and
  // lowest half per cent of them do not count for the y range: one spike would flatten every curve.
  bool faint = false;
  bool filled = false;  // the area below the curve is tinted
  bool dots = true;     // one on each value, where there are few
};

// The ends of an axis. What lies beyond them is cut off.
struct PlotRange {
  double low = 0, high = 1;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  int width = 1000, height = 600;             // pixels, without the caption
  std::optional<PlotRange> x_range, y_range;  // as the values need when empty
  // Below, which makes the picture higher: paragraphs, one a line. Of several the first is bold.
  std::string caption;
};

// The version of gnuplot ("5.4 patchlevel 4"), or why it cannot draw: asks it, which takes some milliseconds.
Result<std::string> gnuplot_version();

// The bytes of a PNG file. There may be any number of values: they are thinned to what the width can show. A
// plot without values says so. Throws when gnuplot is missing or fails.
std::vector<uint8_t> render_plot(const Plot& plot);

// One picture of several plots, the first at the top, all as wide as the widest, with aligned y axes.
std::vector<uint8_t> render_plots(std::span<const Plot> plots);

void write_plot(const std::filesystem::path& path, const Plot& plot);
void write_plots(const std::filesystem::path& path, std::span<const Plot> plots);

}  // namespace nowhere
