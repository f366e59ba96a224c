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

// "-1,234.50": commas go into the whole part only.
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

// The largest unit in which the axis can be told without many digits behind the point.
Unit unit_of(double largest, double step) {
  for (const Unit unit : {Unit{1e9, " G"}, Unit{1e6, " M"}, Unit{1e3, " k"}})
    if (largest >= (unit.size < 1e6 ? 10 : 1) * unit.size && places_of(step / unit.size) <= 1) return unit;
  return {1, ""};
}

std::vector<Tick> linear_ticks(double low, double high, int wanted) {
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

std::string log_label(double value, int power) {
  return power < -4 || power > 5 ? fmt::format("{:.0e}", value) : decimal(value, std::max(0, -power));
}

std::vector<Tick> log_ticks(double low, double high, int wanted) {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const int stride = std::max(1, (last - first) / wanted);
  const std::vector<double> digits =
      last - first <= 3 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
  std::vector<Tick> ticks;
  for (int power = first; power <= last; power += stride)
    for (const double digit : digits) {
      const double value = digit * std::pow(10.0, power);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
        ticks.push_back({value, log_label(value, power)});
    }
  return ticks.size() >= 3 ? ticks : linear_ticks(low, high, wanted);
}

}  // namespace

Axis Axis::widened(double margin) const {
  Axis wide = *this;
  if (logarithmic) {
    const double length = std::log(high / low);
    const double add = length < 1e-9 ? std::log(2.0) : length * margin;
    wide.low = low / std::exp(add);
    wide.high = high * std::exp(add);
    return wide;
  }
  const double length = high - low;
  const double size = std::max(std::abs(low), std::abs(high));
  const bool flat = length <= size * 1e-9 || length < 1e-100;
  const double add = flat ? std::max(size * 0.1, size > 1e-90 ? 0.0 : 1.0) : length * margin;
  wide.low = low - add;
  wide.high = high + add;
  return wide;
}

std::vector<Tick> Axis::ticks(int wanted) const {
  return logarithmic ? log_ticks(low, high, wanted) : linear_ticks(low, high, wanted);
}

}  // namespace nowhere
