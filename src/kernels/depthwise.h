// Convolutions of each channel by itself, and their gradients to the input, on maps as channel_product.h has
// them: [side, side, padded channels].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/channel_product.h"

namespace nowhere {

struct DepthwiseShape {
  int64_t channels = 0, kernel = 1, stride = 1;  // kernel up to 5, stride 1 or 2
  int64_t padding = 0;                           // zeros in front of the first row and column
  int64_t side = 0, out_side = 0;
};

// Every second place, or every place, of a square map as sums over a window of another one. A convolution is
// one of them; its gradient is one for each way in which places lie to the stride.
struct DepthwisePhase {
  int64_t taps_y = 0, taps_x = 0;
  int64_t step = 1;                  // of the window, from one place to the next
  int64_t first_y = 0, first_x = 0;  // where the first window begins; negative: outside
  int64_t out_y = 0, out_x = 0;      // the first place that is made
  int64_t out_step = 1;
  int64_t places_y = 0, places_x = 0;
  std::vector<float> weights;  // [taps_y, taps_x, padded channels]
};

class Depthwise {
 public:
  // `weights` [channels, kernel, kernel]
  Depthwise(const DepthwiseShape& shape, std::span<const float> weights);

  static bool supports(const DepthwiseShape& shape);

  // maps [side, side, padded channels] -> out [out_side, out_side, padded channels]; `finish.added` is not
  // used. Sums go over rows of the kernel and then over its columns.
  void forward(const float* maps, const ChannelFinish& finish, float* out) const;
  // The other way.
  void backward(const float* gradient, const ChannelFinish& finish, float* out) const;

 private:
  DepthwiseShape shape_;
  DepthwisePhase forward_;
  std::vector<DepthwisePhase> backward_;
  std::vector<float> zeros_;  // [padded channels], for places outside
};

}  // namespace nowhere
