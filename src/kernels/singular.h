// The largest singular value of a convolution's weights, by power iteration.
#pragma once

#include <cstdint>
#include <span>

namespace nowhere {

// Weights in memory: [rows, taps, channels].
struct WeightsShape {
  int64_t rows = 0, taps = 0, channels = 0;

  int64_t columns() const { return taps * channels; }
};

// Unit vectors. PyTorch has the second in the order [channels, taps], and so have checkpoints.
struct SingularPair {
  std::span<float> left;   // [rows]
  std::span<float> right;  // [channels, taps]
};

// Brings the pair one iteration further and gives left' W right. `in_order` [taps, channels] becomes `right`
// in the order of the weights.
double improve_singular(const WeightsShape& shape, const float* weights, const SingularPair& pair,
                        std::span<float> in_order);

// The same without an iteration.
double singular_value(const WeightsShape& shape, const float* weights, const SingularPair& pair,
                      std::span<float> in_order);

}  // namespace nowhere
