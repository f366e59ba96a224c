#include "plot/script.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/text.h"

namespace nowhere {

namespace {

constexpr const char* kFont = "DejaVu Sans";
// The palette of Okabe and Ito: distinguishable with every kind of colour vision.
constexpr const char* kColours[] = {"0072B2", "D55E00", "009E73", "CC79A7", "E69F00", "56B4E9", "444444"};
constexpr const char* kNextCurve = ", \\\n  ";
constexpr size_t kMaxDots = 40;  // up to this many values, each is drawn as a dot

// A string for gnuplot, cut to `max_letters`. Between single quotes only the quote itself has a meaning, and
// it becomes an apostrophe: doubling it, as the manual says, fails where it is the first letter (5.4). The
// terminal is told to interpret no markup.
std::string quoted(const std::string& text, size_t max_letters = 1000) {
  std::string line = plot_text(text);
  if (count_letters(line) > max_letters) line = std::string(first_letters(line, max_letters - 1)) + "…";
  std::string between;
  for (const char c : line) between += c == '\'' ? "’" : std::string(1, c);
  return "'" + between + "'";
}

std::string block_name(size_t panel, size_t curve) {
  return fmt::format("$values_{}_{}", panel, curve);
}

// x, y and the ends of the error bar.
void append_values(std::string& script, const Panel& panel, size_t number) {
  for (size_t i = 0; i < panel.curves.size(); ++i) {
    if (panel.curves[i].points.empty()) continue;
    script += block_name(number, i) + " << EOD\n";
    for (const auto& [x, y, error] : panel.curves[i].points)
      script += fmt::format("{} {} {} {}\n", x, y, y - error, y + error);
    script += "EOD\n";
  }
}

void append_axis(std::string& script, char name, const Axis& axis, const std::vector<Tick>& ticks) {
  script += fmt::format("set {}range [{}:{}]\n", name, axis.low, axis.high);
  script += fmt::format("unset {}tics\n", name);
  if (ticks.empty()) return;
  script += fmt::format("set {}tics scale 0 nomirror textcolor rgb '#444444' (", name);
  for (size_t i = 0; i < ticks.size(); ++i)
    script += fmt::format("{}'{}' {}", i ? ", " : "", ticks[i].label, ticks[i].value);
  script += ")\n";
}

// "plot" with one clause for each curve. A curve of few values has dots on it.
void append_curves(std::string& script, const Panel& panel, size_t number) {
  std::string separator = "plot ";
  if (panel.empty) script += "plot NaN notitle\n";
  for (size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    const Series& series = *curve.series;
    if (curve.points.empty()) continue;
    const bool dots = curve.points.size() <= kMaxDots && series.dots && !series.faint;
    const char* colour = kColours[curve.colour % std::size(kColours)];
    if (series.filled) {
      script += fmt::format(
          "{}{} using 1:2 with filledcurves y1={} fillstyle solid noborder linecolor rgb '#D8{}' notitle",
          separator, block_name(number, i), panel.y.low, colour);
      separator = kNextCurve;
    }
    script += fmt::format("{}{} using 1:2{} with {} ", separator, block_name(number, i),
                          series.errors.empty() ? "" : ":3:4",
                          !series.errors.empty()            ? "yerrorlines"
                          : dots || curve.points.size() < 2 ? "linespoints"
                                                            : "lines");
    script += fmt::format("linecolor rgb '#{}{}' linewidth {} dashtype {} ", series.faint ? "BC" : "", colour,
                          series.faint ? 1 : 2, curve.colour / std::size(kColours) % 4 + 1);
    script += fmt::format("pointtype 7 pointsize {} ", !dots ? 0.3 : curve.points.size() > 1 ? 0.8 : 1.3);
    script += curve.listed ? "title " + quoted(series.name, kMaxNameLetters) : "notitle";
    separator = kNextCurve;
  }
  script += "\n";
}

// Where the parts of a panel are, in pixels from the left and from the bottom of the picture.
struct Frame {
  int left, right, bottom, top, ceiling;
};

using Place = std::function<std::string(int pixel)>;  // in gnuplot's words

// One label for each line, from number 4 on; what another panel left of them is removed.
void append_caption(std::string& script, const Panel& panel, const Frame& frame, const Place& across,
                    const Place& up) {
  const int first = frame.ceiling - panel.plot->height - kEdge / 2;
  for (size_t i = 0; i < kMaxCaptionLines; ++i) {
    if (i < panel.caption.size())
      script +=
          fmt::format("set label {} {} at {}, {} left font '{}{},10.5' textcolor rgb '#222222'\n", i + 4,
                      quoted(panel.caption[i].text), across(kEdge), up(first - kLine * static_cast<int>(i)),
                      kFont, panel.caption[i].bold ? ":Bold" : "");
    else
      script += fmt::format("unset label {}\n", i + 4);
  }
}

void append_panel(std::string& script, const Panel& panel, size_t number, const Frame& frame, int width,
                  int height) {
  const Plot& plot = *panel.plot;
  const int title_letters = std::max(1, (frame.right - frame.left) / (kLetter + 2));
  const Place across = [&](int pixel) { return fmt::format("screen {:.6f}", double(pixel) / width); };
  const Place up = [&](int pixel) { return fmt::format("screen {:.6f}", double(pixel) / height); };
  script += fmt::format("set lmargin at {}\nset rmargin at {}\nset bmargin at {}\nset tmargin at {}\n",
                        across(frame.left), across(frame.right), up(frame.bottom), up(frame.top));
  script += fmt::format("set label 1 {} at {}, {} left font '{}:Bold,12' textcolor rgb '#222222'\n",
                        quoted(plot.title, static_cast<size_t>(title_letters)), across(frame.left),
                        up(frame.ceiling - kLine), kFont);
  script += fmt::format("set label 2 '{}' at graph 0.5, 0.5 center textcolor rgb '#888888'\n",
                        panel.empty ? "no values yet" : "");
  // Not gnuplot's own label, which moves with the width of the numbers: those of all panels are aligned.
  script += fmt::format("set label 3 {} at {}, {} center rotate textcolor rgb '#444444'\n",
                        quoted(plot.y_label), across(kEdge), up((frame.bottom + frame.top) / 2));
  script += fmt::format("set xlabel {}\n", quoted(plot.x_label));
  script += fmt::format(
      "set key at {}, {} left top horizontal Left reverse samplen 2 spacing 1.3 maxcols {}\n",
      across(frame.left - kLetter), up(frame.top + kLine * panel.legend_rows + 6), panel.legend_columns);
  append_axis(script, 'x', panel.x, panel.x_ticks);
  append_axis(script, 'y', panel.y, panel.y_ticks);
  append_caption(script, panel, frame, across, up);
  append_curves(script, panel, number);
}

constexpr const char* kStyle =
    "set encoding utf8\n"
    "set border 1 linecolor rgb '#999999'\n"
    "set grid linetype 1 linecolor rgb '#E8E8E8' linewidth 1\n"
    "set xlabel textcolor rgb '#444444'\n"
    "set key textcolor rgb '#222222'\n"
    "set errorbars small\nset clip one\nset clip two\n";

int left_margin(const std::vector<Panel>& panels) {
  size_t longest = 0;
  int label = 0;
  for (const Panel& panel : panels) {
    if (!panel.plot->y_label.empty()) label = kLine;
    for (const Tick& tick : panel.y_ticks) longest = std::max(longest, count_letters(tick.label));
  }
  return kEdge + label + static_cast<int>(longest) * kLetter + 8;
}

}  // namespace

std::string make_script(const std::vector<Panel>& panels) {
  int width = 0, height = 0;
  for (const Panel& panel : panels) {
    width = std::max(width, panel.plot->width);
    height += panel.height();
  }
  std::string script =
      fmt::format("set terminal pngcairo noenhanced size {},{} font '{},10.5' background '#FFFFFF'\n", width,
                  height, kFont);
  script += kStyle;
  for (size_t i = 0; i < panels.size(); ++i) append_values(script, panels[i], i);
  script += "set multiplot\n";
  const int left = left_margin(panels);
  int ceiling = height;
  for (size_t i = 0; i < panels.size(); ++i) {
    const Plot& plot = *panels[i].plot;
    const int bottom = ceiling - plot.height + kEdge + kLine * (plot.x_label.empty() ? 1 : 2);
    const int top = ceiling - kEdge - (plot.title.empty() ? 0 : kLine) - kLine * panels[i].legend_rows;
    append_panel(script, panels[i], i, {left, width - kEdge - 12, bottom, top, ceiling}, width, height);
    ceiling -= panels[i].height();
  }
  return script + "unset multiplot\n";
}

}  // namespace nowhere
