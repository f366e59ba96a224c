// For tests: a convolution and its gradient to the input, written as their definition, in float64.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/channel_product.h"

namespace nowhere {

using Exact = std::vector<double>;

constexpr double kExactEnough = 1e-5;  // for error_of()

// Square maps [side, side, channels].
struct ExactConvolution {
  int64_t in = 1, out = 1, kernel = 1, stride = 1, padding = 0, side = 1, out_side = 1;
  bool depthwise = false;
  std::vector<float> weights;  // [out, in, kernel, kernel]; depthwise [out, kernel, kernel]
  std::vector<float> bias;

  // use(number of the input, number of the output, weight) for every product
  template <class Use>
  void each(const Use& use) const {
    const int64_t inputs = depthwise ? 1 : in;
    for (int64_t y = 0; y < out_side; ++y)
      for (int64_t x = 0; x < out_side; ++x)
        for (int64_t tap = 0; tap < kernel * kernel; ++tap) {
          const int64_t in_y = y * stride - padding + tap / kernel,
                        in_x = x * stride - padding + tap % kernel;
          if (in_y < 0 || in_y >= side || in_x < 0 || in_x >= side) continue;
          for (int64_t o = 0; o < out; ++o)
            for (int64_t i = 0; i < inputs; ++i)
              use((in_y * side + in_x) * in + (depthwise ? o : i), (y * out_side + x) * out + o,
                  weights[(o * inputs + i) * kernel * kernel + tap]);
        }
  }

  Exact forward(const Exact& maps) const {
    Exact result(out_side * out_side * out);
    for (size_t i = 0; i < result.size(); ++i) result[i] = bias.empty() ? 0 : bias[i % out];
    each([&](int64_t from, int64_t to, double weight) { result[to] += maps[from] * weight; });
    return result;
  }

  Exact backward(const Exact& gradient) const {
    Exact result(side * side * in);
    each([&](int64_t from, int64_t to, double weight) { result[from] += gradient[to] * weight; });
    return result;
  }
};

inline Exact relu6(Exact numbers) {
  for (double& number : numbers) number = number <= 0 ? 0 : number >= 6 ? 6 : number;
  return numbers;
}

// Of what went into ReLU6.
inline Exact relu6_gradient(Exact gradient, const Exact& before) {
  for (size_t i = 0; i < gradient.size(); ++i)
    if (before[i] <= 0 || before[i] >= 6) gradient[i] = 0;
  return gradient;
}

inline Exact exact(std::span<const float> numbers) {
  return {numbers.begin(), numbers.end()};
}

// Maps as the kernels want them: NaN where there is no channel, since nobody is to use it.
inline std::vector<float> padded_maps(const Exact& maps, int64_t channels) {
  const int64_t padded = padded_channels(channels);
  std::vector<float> result(maps.size() / channels * padded, std::nanf(""));
  for (size_t i = 0; i < maps.size(); ++i)
    result[static_cast<int64_t>(i) / channels * padded + static_cast<int64_t>(i) % channels] =
        static_cast<float>(maps[i]);
  return result;
}

// The largest difference, as a share of the largest number; infinite where only one of both is a number.
inline double error_of(std::span<const float> maps, int64_t channels, const Exact& expected) {
  const int64_t padded = maps.size() == expected.size() ? channels : padded_channels(channels);
  double largest = 1e-30, difference = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double got = maps[static_cast<int64_t>(i) / channels * padded + static_cast<int64_t>(i) % channels];
    if (std::isnan(got) && std::isnan(expected[i])) continue;
    if (got == expected[i]) continue;
    if (!std::isfinite(got) || !std::isfinite(expected[i])) return INFINITY;
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(got - expected[i]));
  }
  return difference / largest;
}

}  // namespace nowhere
