#include "plot/smooth.h"

#include <fmt/core.h>

#include <cmath>

#include "core/error.h"

namespace nowhere {

std::vector<double> smooth(std::span<const double> values, double weight) {
  if (!(weight >= 0 && weight < 1)) throw Error(fmt::format("smoothing weight {} is not in [0, 1)", weight));
  std::vector<double> averages;
  averages.reserve(values.size());
  // `weights` approaches 1; dividing by it removes the pull towards the initial 0.
  double sum = 0, weights = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      sum = weight * sum + (1 - weight) * value;
      weights = weight * weights + (1 - weight);
    }
    averages.push_back(weights > 0 ? sum / weights : std::nan(""));
  }
  return averages;
}

}  // namespace nowhere
