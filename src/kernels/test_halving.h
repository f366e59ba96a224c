// For tests of halving convolutions: their operands, their sums by the definition, and threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "kernels/halving.h"
#include "kernels/test_targets.h"
#include "kernels/workers.h"

namespace nowhere {

using Floats = std::vector<float>;

inline std::string text_of(const HalvingShape& shape) {
  return std::to_string(shape.pictures) + " x " + std::to_string(shape.height) + " x " +
         std::to_string(shape.width) + ", " + std::to_string(shape.channels) + " to " +
         std::to_string(shape.kernels) + " channels";
}

// Calls use(index of the large map, index of the small map, index of the weight) for every product of the
// sum.
template <class Use>
void each_product(const HalvingShape& s, const Use& use) {
  for (int64_t n = 0; n < s.pictures; ++n)
    for (int64_t i = 0; i < s.small_height() * s.small_width(); ++i)
      for (int64_t tap = 0; tap < 16; ++tap) {
        const int64_t y = 2 * (i / s.small_width()) + tap / 4 - 1,
                      x = 2 * (i % s.small_width()) + tap % 4 - 1;
        if (y < 0 || y >= s.height || x < 0 || x >= s.width) continue;
        const int64_t large = ((n * s.height + y) * s.width + x) * s.channels;
        const int64_t small = (n * s.small_height() * s.small_width() + i) * s.kernels;
        for (int64_t k = 0; k < s.kernels; ++k)
          for (int64_t c = 0; c < s.channels; ++c)
            use(static_cast<size_t>(large + c), static_cast<size_t>(small + k),
                static_cast<size_t>((k * 16 + tap) * s.channels + c));
      }
}

struct HalvingOperands {
  HalvingShape shape;
  Floats large, small, weights;

  explicit HalvingOperands(const HalvingShape& of, uint64_t seed = 1)
      : shape(of),
        large(test_numbers(of.large_size(), seed)),
        small(test_numbers(of.small_size(), seed + 1)),
        weights(test_numbers(of.weights_size(), seed + 2)) {}
};

struct HalvingResults {
  Floats small, large, weights;
};

// The three sums in float64.
struct ExactHalving {
  std::vector<double> small, large, weights;

  explicit ExactHalving(const HalvingOperands& in)
      : small(in.small.size()), large(in.large.size()), weights(in.weights.size()) {
    each_product(in.shape, [&](size_t l, size_t s, size_t w) {
      const double from_large = in.large[l], from_small = in.small[s], weight = in.weights[w];
      small[s] += from_large * weight;
      large[l] += from_small * weight;
      weights[w] += from_large * from_small;
    });
  }
};

// Relative to the largest of the sums.
inline double largest_error(const Floats& numbers, const std::vector<double>& exact) {
  double error = 0, largest = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    error = std::max(error, std::abs(static_cast<double>(numbers[i]) - exact[i]));
    largest = std::max(largest, std::abs(exact[i]));
  }
  return largest == 0 ? error : error / largest;
}

// Threads that take jobs as they come.
inline Workers threads(int64_t count) {
  return {count, [count](int64_t jobs, const Job& job) {
            std::atomic<int64_t> next = 0;
            std::vector<std::thread> running;
            for (int64_t worker = 0; worker < count; ++worker)
              running.emplace_back([&, worker] {
                for (int64_t i = next++; i < jobs; i = next++) job(i, worker);
              });
            for (std::thread& thread : running) thread.join();
          }};
}

}  // namespace nowhere
