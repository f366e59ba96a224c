// The picture while it is being drawn: light and depth, one column after the other, because streets are drawn
// column by column.
#pragma once

#include <algorithm>
#include <vector>

#include "data/synth/colour.h"

namespace nowhere::synth {

constexpr int kWidth = 640;
constexpr int kHeight = 480;
constexpr float kGroundDepth = 1e8f;  // marks the ground: nothing stands behind it
constexpr float kSkyDepth = 2e8f;

struct Pixel {
  Rgb colour;
  float depth = kSkyDepth;  // metres along the view axis
};

class Canvas {
 public:
  Canvas() : pixels_(static_cast<size_t>(kWidth) * kHeight), base_(kWidth, 0.0f) {}

  Pixel* column(int x) { return pixels_.data() + static_cast<size_t>(x) * kHeight; }
  const Pixel* column(int x) const { return pixels_.data() + static_cast<size_t>(x) * kHeight; }

  // The row where the ground of a column ends: the foot of the nearest wall, or the horizon.
  float& base(int x) { return base_[static_cast<size_t>(x)]; }

 private:
  std::vector<Pixel> pixels_;
  std::vector<float> base_;
};

// Something at `depth` in front of what is there; opaque enough, it owns the pixel.
inline void blend(Pixel& pixel, Rgb colour, float alpha, float depth) {
  pixel.colour = mix(pixel.colour, colour, alpha);
  if (alpha > 0.5f) pixel.depth = depth;
}

}  // namespace nowhere::synth
