#include "data/normal_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nowhere {
namespace {

constexpr size_t kQuantiles = 65536;

double cumulative(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
}

// By Newton's method, beginning at the quantile before it.
double quantile(double probability, double x) {
  constexpr int kIterations = 40;
  for (int i = 0; i < kIterations; ++i) {
    const double step = (cumulative(x) - probability) / density(x);
    x -= step;
    if (std::abs(step) < 1e-12) break;
  }
  return x;
}

}  // namespace

NormalTable::NormalTable() : quantiles_(kQuantiles) {
  double x = 0, squares = 0;
  std::vector<double> upper(kQuantiles / 2);
  for (size_t i = 0; i < upper.size(); ++i) {
    x = quantile(0.5 + (static_cast<double>(i) + 0.5) / kQuantiles, x);
    upper[i] = x;
    squares += x * x;
  }
  const double scale = 1 / std::sqrt(squares / static_cast<double>(upper.size()));
  for (size_t i = 0; i < upper.size(); ++i) {
    quantiles_[upper.size() + i] = static_cast<float>(upper[i] * scale);
    quantiles_[upper.size() - 1 - i] = -quantiles_[upper.size() + i];
  }
}

void NormalTable::add(Random& random, float deviation, std::span<float> values) const {
  constexpr size_t kDrawsInBits = 4;
  for (size_t i = 0; i < values.size(); i += kDrawsInBits) {
    uint64_t bits = random.bits();
    const size_t end = std::min(values.size(), i + kDrawsInBits);
    for (size_t k = i; k < end; ++k, bits >>= 16) values[k] += deviation * quantiles_[bits & 0xffff];
  }
}

}  // namespace nowhere
