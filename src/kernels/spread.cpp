#include "kernels/spread.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nowhere {
namespace {

constexpr int64_t kTogether = 64;  // numbers that are measured at a time; the loops over them are vectorised
constexpr float kEpsilon = 1e-8f;  // keeps the gradient finite where all pictures are equal

// Of some numbers that follow each other.
struct Moments {
  std::array<float, kTogether> mean, deviation;
};

Moments measure(const GroupShape& shape, const float* group, int64_t count) {
  const float share = 1.0f / static_cast<float>(shape.pictures);
  std::array<float, kTogether> sum{}, squares{};
  Moments moments{};
  for (int64_t i = 0; i < shape.pictures; ++i)
    for (int64_t n = 0; n < count; ++n) sum[n] += group[i * shape.numbers + n];
  for (int64_t n = 0; n < count; ++n) moments.mean[n] = sum[n] * share;
  for (int64_t i = 0; i < shape.pictures; ++i)
    for (int64_t n = 0; n < count; ++n) {
      const float difference = group[i * shape.numbers + n] - moments.mean[n];
      squares[n] += difference * difference;
    }
  for (int64_t n = 0; n < count; ++n) moments.deviation[n] = std::sqrt(squares[n] * share + kEpsilon);
  return moments;
}

// Calls work(first, count, moments) for all numbers of a group.
template <class Work>
void each_part(const GroupShape& shape, const float* group, const Work& work) {
  for (int64_t first = 0; first < shape.numbers; first += kTogether) {
    const int64_t count = std::min(kTogether, shape.numbers - first);
    work(first, count, measure(shape, group + first, count));
  }
}

}  // namespace

void measure_spreads(const GroupShape& shape, const float* maps, std::span<float> spreads,
                     const Workers& workers) {
  workers.run(shape.groups, [&](int64_t g, int64_t) {
    double sum = 0;
    each_part(shape, maps + g * shape.pictures * shape.numbers,
              [&](int64_t, int64_t count, const Moments& moments) {
                for (int64_t n = 0; n < count; ++n) sum += moments.deviation[n];
              });
    spreads[static_cast<size_t>(g)] = static_cast<float>(sum / static_cast<double>(shape.numbers));
  });
}

void gradient_of_spreads(const GroupShape& shape, const float* maps, std::span<const float> gradient,
                         float* result, const Workers& workers) {
  workers.run(shape.groups, [&](int64_t g, int64_t) {
    const float* group = maps + g * shape.pictures * shape.numbers;
    float* to = result + g * shape.pictures * shape.numbers;
    const float factor =
        gradient[static_cast<size_t>(g)] / static_cast<float>(shape.pictures * shape.numbers);
    each_part(shape, group, [&](int64_t first, int64_t count, const Moments& moments) {
      for (int64_t i = 0; i < shape.pictures; ++i)
        for (int64_t n = 0; n < count; ++n) {
          const int64_t at = i * shape.numbers + first + n;
          to[at] = factor * (group[at] - moments.mean[n]) / moments.deviation[n];
        }
    });
  });
}

}  // namespace nowhere
