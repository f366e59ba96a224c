#include "plot/axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/text.h"

namespace nowhere {

namespace {

// The nearest of 1, 2 and 5 times a power of ten.
double round_step(double length, int wanted) {
  const double rough = length / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit < 1.5 ? 1 : digit < 3 ? 2 : digit < 7 ? 5 : 10);
}

// "-1,234.50": commas in the whole part only.
std::string decimal(double value, int places) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), places);
  const size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_integer(text.substr(0, point));
  if (!whole) return fmt::format("{:g}", value);
  return (value < 0 ? "-" : "") + with_commas(*whole) + text.substr(point);
}

int places_of(double step) {
  return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
}

struct Unit {
  double size;
  const char* name;
};

// The largest unit in which the labels need few digits after the point.
Unit unit_of(double largest, double step) {
  for (const Unit unit : {Unit{1e9, " G"}, Unit{1e6, " M"}, Unit{1e3, " k"}})
    if (largest >= (unit.size < 1e6 ? 10 : 1) * unit.size && places_of(step / unit.size) <= 1) return unit;
  return {1, ""};
}

}  // namespace

Axis Axis::widened(double margin) const {
  Axis wide = *this;
  const double length = high - low;
  const double size = std::max(std::abs(low), std::abs(high));
  const bool flat = length <= size * 1e-9 || length < 1e-100;
  const double add = flat ? std::max(size * 0.1, size > 1e-90 ? 0.0 : 1.0) : length * margin;
  wide.low = low - add;
  wide.high = high + add;
  return wide;
}

std::vector<Tick> Axis::ticks(int wanted) const {
  const double step = round_step(high - low, wanted);
  const double largest = std::max(std::abs(low), std::abs(high));
  const Unit unit = unit_of(largest, step);
  const int places = places_of(step / unit.size);
  std::vector<Tick> ticks;
  const auto last = static_cast<int64_t>(std::floor(high / step + 1e-6));
  for (auto i = static_cast<int64_t>(std::ceil(low / step - 1e-6)); i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    const bool plain = places <= 6 && largest / unit.size < 1e9;
    ticks.push_back({value, i == 0  ? "0"
                            : plain ? decimal(value / unit.size, places) + unit.name
                                    : fmt::format("{:.6g}", value)});
  }
  return ticks;
}

}  // namespace nowhere
