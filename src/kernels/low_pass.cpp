#include "kernels/low_pass.h"

#include <algorithm>
#include <vector>

namespace nowhere {
namespace {

// Three neighbours, the one in the middle twice.
float smooth(float before, float here, float after) {
  return ((before + here) + (here + after)) * 0.25f;
}

// A line of places, from `line` to `out`.
void smooth_line(const float* line, int64_t side, int64_t channels, float* out) {
  const int64_t end = side * channels;
  for (int64_t i = 0; i < end; ++i)
    out[i] =
        smooth(line[i < channels ? i : i - channels], line[i], line[i + channels < end ? i + channels : i]);
}

}  // namespace

void smooth_picture(float* picture, int64_t side, int64_t channels) {
  const int64_t width = side * channels;
  // Lines smoothed along themselves: the one above, this one and the one below.
  std::vector<float> above(static_cast<size_t>(width)), here(above.size()), below(above.size());
  smooth_line(picture, side, channels, here.data());
  above = here;
  for (int64_t y = 0; y < side; ++y) {
    float* line = picture + y * width;
    if (y + 1 < side)
      smooth_line(line + width, side, channels, below.data());
    else
      below = here;
    for (int64_t i = 0; i < width; ++i) {
      const auto at = static_cast<size_t>(i);
      line[i] = smooth(above[at], here[at], below[at]);
    }
    std::swap(above, here);
    std::swap(here, below);
  }
}

}  // namespace nowhere
