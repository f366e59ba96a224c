// The one resizer: antialiased bicubic (Keys, a = -0.5), the same for training, evaluation and figures.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "image/image.h"

namespace nowhere {

// The weights of the input for each output position: `taps` of them from `first[i]` on, with a sum of 1.
struct ResizeWeights {
  int taps = 0;
  std::vector<int> first;      // [output]
  std::vector<float> weights;  // [output, taps], zero beyond the edge
};

ResizeWeights bicubic_weights(int input, int output);

// Caches the weights of the sizes it has seen, and reuses its buffers. One per thread.
class Resizer {
 public:
  // Resizes the part of `source` inside `box` to width x height, mirrored left to right when `flip`. Writes
  // rows of width * 3 bytes without gaps to `out`.
  void resize(ImageView source, Box box, int width, int height, bool flip, uint8_t* out);

  Image resize(ImageView source, int width, int height);

 private:
  const ResizeWeights& weights(int input, int output);

  std::map<std::pair<int, int>, ResizeWeights> weights_;
  std::vector<float> line_;      // one row after the vertical pass, [box.width, 3] and padding
  std::vector<float> sums_;      // one output row before rounding
  std::vector<uint8_t> mirror_;  // one output row before it is mirrored
};

// The size at which the shorter side is `short_side` and the aspect ratio is kept; never below 1 pixel.
std::pair<int, int> fit_short_side(int width, int height, int short_side);

}  // namespace nowhere
