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

ImageView middle_rows(const PhotoFrame& frame, const CropSize& crop) {
  ImageView view = frame.view;
  const int rows = frame.pixels_of(crop.side(frame.short_side, 0));
  view.data = view.row((view.height - rows) / 2);
  view.height = rows;
  return view;
}

}  // namespace nowhere
