#include "kernels/singular.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nowhere {
namespace {

constexpr double kSmallest = 1e-12;  // that a vector is divided by

// In a fixed number of partial sums, which the compiler makes vectors of.
double dot(const float* a, const float* b, int64_t count) {
  constexpr int64_t kSums = 16;
  std::array<float, kSums> sums{};
  int64_t i = 0;
  for (; i + kSums <= count; i += kSums)
    for (int64_t lane = 0; lane < kSums; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  double total = 0;
  for (const float sum : sums) total += sum;
  for (; i < count; ++i) total += static_cast<double>(a[i]) * b[i];
  return total;
}

void add(float factor, const float* from, std::span<float> to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

// Gives its length.
double make_unit(std::span<float> vector) {
  const double length = std::sqrt(dot(vector.data(), vector.data(), static_cast<int64_t>(vector.size())));
  const auto divisor = static_cast<float>(std::max(length, kSmallest));
  for (float& number : vector) number /= divisor;
  return length;
}

}  // namespace

double improve_singular(const WeightsShape& shape, const float* weights, const SingularPair& pair,
                        std::span<float> in_order) {
  const int64_t columns = shape.columns();
  std::ranges::fill(in_order, 0.0f);
  for (int64_t row = 0; row < shape.rows; ++row) add(pair.left[row], weights + row * columns, in_order);
  make_unit(in_order);
  for (int64_t row = 0; row < shape.rows; ++row)
    pair.left[row] = static_cast<float>(dot(weights + row * columns, in_order.data(), columns));
  const double value = make_unit(pair.left);  // left' W right, as left is the direction of W right
  for (int64_t tap = 0; tap < shape.taps; ++tap)
    for (int64_t c = 0; c < shape.channels; ++c)
      pair.right[c * shape.taps + tap] = in_order[tap * shape.channels + c];
  return value;
}

double singular_value(const WeightsShape& shape, const float* weights, const SingularPair& pair,
                      std::span<float> in_order) {
  for (int64_t tap = 0; tap < shape.taps; ++tap)
    for (int64_t c = 0; c < shape.channels; ++c)
      in_order[tap * shape.channels + c] = pair.right[c * shape.taps + tap];
  double value = 0;
  for (int64_t row = 0; row < shape.rows; ++row)
    value += pair.left[row] * dot(weights + row * shape.columns(), in_order.data(), shape.columns());
  return value;
}

}  // namespace nowhere
