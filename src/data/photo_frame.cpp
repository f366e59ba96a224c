#include "data/photo_frame.h"

#include <algorithm>
#include <cmath>

namespace nowhere {

int PhotoFrame::pixels_of(int length) const {
  const int longest = std::min(view.width, view.height);
  return std::clamp(static_cast<int>(std::lround(length * scale)), 1, longest);
}

PhotoFrame whole_frame(ImageView view, int short_side) {
  return {view, short_side, static_cast<double>(std::min(view.width, view.height)) / short_side};
}

}  // namespace nowhere
