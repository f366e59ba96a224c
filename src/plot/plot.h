// Curves as PNG files, drawn by gnuplot (a program of its own, not a library: it may be missing).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nowhere {

// Values that are not finite, or not positive on a logarithmic axis, are left out.
struct Series {
  std::string name;  // in the legend; none when empty
  std::vector<double> x, y;
  std::vector<double> errors = {};  // half the height of the error bars; empty: none
  // Raw values, drawn lightly behind the rest in the colour of the series of the same name. Their highest and
  // lowest half per cent do not count for the y range: one spike would flatten every curve.
  bool faint = false;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool log_x = false, log_y = false;
  std::optional<std::pair<double, double>> y_range = {};  // without: what the values need
  int width = 1000, height = 600;                         // pixels
};

// The version of gnuplot ("5.4 patchlevel 4"), or why it cannot draw: asks it, which takes some milliseconds.
Result<std::string> gnuplot_version();

// The bytes of a PNG file. Any number of values: they are thinned to what the width can show. A plot without a
// value says so. Throws when gnuplot is missing or fails.
std::vector<uint8_t> render_plot(const Plot& plot);

// One picture of several plots, the first at the top, all as wide as the widest, their y axes in line.
std::vector<uint8_t> render_plots(std::span<const Plot> plots);

void write_plot(const std::filesystem::path& path, const Plot& plot);
void write_plots(const std::filesystem::path& path, std::span<const Plot> plots);

}  // namespace nowhere
