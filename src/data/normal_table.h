// Gaussian noise for every value of every picture, at about a nanosecond each: 16 random bits choose one of
// 65,536 quantiles of the standard normal distribution.
#pragma once

#include <span>
#include <vector>

#include "core/random.h"

namespace nowhere {

class NormalTable {
 public:
  NormalTable();

  // Adds noise of this standard deviation to each value.
  void add(Random& random, float deviation, std::span<float> values) const;

 private:
  std::vector<float> quantiles_;  // of (i + 1/2) / 65536, scaled to a variance of 1
};

}  // namespace nowhere
