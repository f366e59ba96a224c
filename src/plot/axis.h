// Ranges, and ticks at round numbers. Used inside this folder only.
#pragma once

#include <string>
#include <vector>

namespace nowhere {

struct Tick {
  double value = 0;
  std::string label;
};

struct Axis {
  double low = 0, high = 1;

  // With `margin` of its length added at both ends; never empty, even around a single value.
  Axis widened(double margin) const;
  // About `wanted` of them. Labels are "1,500", "0.25", "200 k" or "1.5 M", one unit for the whole axis.
  std::vector<Tick> ticks(int wanted) const;
};

}  // namespace nowhere
