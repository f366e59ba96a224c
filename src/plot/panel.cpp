#include "plot/panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {

namespace {

// Of one letter in UTF-8.
uint32_t code_point(std::string_view letter) {
  const auto lead = static_cast<uint8_t>(letter[0]);
  uint32_t code = letter.size() == 1 ? lead : lead & (0x7Fu >> letter.size());
  for (const char byte : letter.substr(1)) code = code << 6 | (static_cast<uint8_t>(byte) & 0x3Fu);
  return code;
}

// Latin, Greek, Cyrillic; punctuation, arrows, mathematics.
bool font_has(uint32_t code) {
  return code < 0x530 || (code >= 0x1E00 && code < 0x27C0);
}

std::vector<Curve> curves_of(const Plot& plot) {
  std::vector<Curve> curves;
  std::map<std::string, size_t> colours;
  for (const Series& series : plot.series) {
    const size_t colour = colours.emplace(series.name, colours.size()).first->second;
    curves.push_back({&series, thin_points(drawable_points(series, plot), plot.width), colour});
  }
  std::stable_partition(curves.begin(), curves.end(), [](const Curve& curve) { return curve.series->faint; });
  for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve)
    curve->listed =
        !curve->points.empty() && !curve->series->name.empty() && colours.erase(curve->series->name) > 0;
  return curves;
}

// Without the highest and lowest half per cent of a faint curve.
void add_heights(const Curve& curve, std::vector<double>& heights) {
  std::vector<double> own;
  for (const PlotPoint& point : curve.points) {
    own.push_back(point.y + point.error);
    own.push_back(point.y - point.error);
  }
  std::sort(own.begin(), own.end());
  const size_t skip = curve.series->faint ? own.size() / 200 : 0;
  if (!own.empty()) heights.insert(heights.end(), {own[skip], own[own.size() - 1 - skip]});
}

void set_axes(Panel& panel) {
  const Plot& plot = *panel.plot;
  std::vector<double> widths, heights;
  for (const Curve& curve : panel.curves) {
    for (const PlotPoint& point : curve.points) widths.push_back(point.x);
    add_heights(curve, heights);
  }
  panel.empty = widths.empty();
  if (panel.empty) widths = heights = {1, 2};
  const auto [left, right] = std::minmax_element(widths.begin(), widths.end());
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  panel.x = Axis{*left, *right}.widened(0.015);
  panel.y = Axis{*low, *high}.widened(0.06);
  if (plot.x_range) panel.x = {plot.x_range->low, plot.x_range->high};
  if (plot.y_range) panel.y = {plot.y_range->low, plot.y_range->high};
  if (panel.empty) return;
  panel.x_ticks = panel.x.ticks(std::max(2, plot.width / 120));
  panel.y_ticks = panel.y.ticks(std::max(3, plot.height / 85));
}

// All entries are as wide as the longest name. Curves that do not fit into a third of the height are not
// listed.
void set_legend(Panel& panel) {
  int entries = 0;
  size_t longest = 0;
  for (const Curve& curve : panel.curves)
    if (curve.listed) {
      ++entries;
      longest = std::max(longest, std::min(kMaxNameLetters, count_letters(plot_text(curve.series->name))));
    }
  const int columns = (panel.plot->width - 100) / (static_cast<int>(longest) * kLetter + 60);
  panel.legend_columns = std::clamp(columns, 1, std::max(1, entries));
  const int max_entries = panel.legend_columns * (panel.plot->height / 3 / kLine);
  for (auto curve = panel.curves.rbegin(); curve != panel.curves.rend() && entries > max_entries; ++curve)
    if (std::exchange(curve->listed, false)) --entries;
  panel.legend_rows = (entries + panel.legend_columns - 1) / panel.legend_columns;
}

// Broken between words.
std::vector<CaptionLine> caption_lines(const Plot& plot) {
  const std::vector<std::string> paragraphs = split_list(plot.caption, '\n');
  std::vector<CaptionLine> lines;
  for (size_t i = 0; i < paragraphs.size(); ++i) {
    const bool bold = i == 0 && paragraphs.size() > 1;
    const double letter = kLetter + (bold ? 0.5 : -0.5);
    const auto letters = static_cast<size_t>((plot.width - 2 * kEdge) / letter);
    bool begun = false;
    for (const std::string& word : split_list(plot_text(paragraphs[i]), ' ')) {
      if (begun && count_letters(lines.back().text) + count_letters(word) < letters)
        lines.back().text += " " + word;
      else
        lines.push_back({word, bold});
      begun = true;
    }
  }
  if (lines.size() > kMaxCaptionLines) lines.resize(kMaxCaptionLines);
  return lines;
}

void check_range(const std::optional<PlotRange>& range, const Plot& plot) {
  if (range && !(range->high > range->low))
    throw Error(fmt::format("plot \"{}\": an axis from {} to {}", printable_text(plot.title), range->low,
                            range->high));
}

}  // namespace

int Panel::height() const {
  return plot->height + (caption.empty() ? 0 : kEdge + kLine * static_cast<int>(caption.size()));
}

Panel make_panel(const Plot& plot) {
  if (plot.width < 200 || plot.width > 10'000 || plot.height < 150 || plot.height > 10'000)
    throw Error(fmt::format("a plot of {} x {} pixels; 200 x 150 to 10,000 x 10,000 can be drawn", plot.width,
                            plot.height));
  check_range(plot.x_range, plot);
  check_range(plot.y_range, plot);
  Panel panel{&plot, curves_of(plot)};
  set_axes(panel);
  set_legend(panel);
  panel.caption = caption_lines(plot);
  return panel;
}

std::string plot_text(const std::string& text) {
  const std::string line = printable_text(text);
  std::string shown;
  for (std::string_view rest = line; !rest.empty();) {
    const std::string_view letter = first_letters(rest, 1);
    shown += font_has(code_point(letter)) ? letter : "?";
    rest.remove_prefix(letter.size());
  }
  return shown;
}

}  // namespace nowhere
