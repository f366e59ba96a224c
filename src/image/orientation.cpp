#include "image/orientation.h"

#include <algorithm>
#include <cstring>

namespace nowhere {
namespace {

// Where the upright picture's first pixel is stored, and how far it is from there to the next pixel of a row
// and to the next row.
struct Steps {
  const uint8_t* first;
  std::ptrdiff_t across, down;
};

Steps steps_through(ImageView stored, int orientation) {
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const auto row = static_cast<std::ptrdiff_t>(stored.stride);
  Steps steps{stored.row(from_bottom ? stored.height - 1 : 0), from_right ? -kChannels : kChannels,
              from_bottom ? -row : row};
  if (from_right) steps.first += static_cast<size_t>(stored.width - 1) * kChannels;
  if (orientation >= 5) std::swap(steps.across, steps.down);
  return steps;
}

}  // namespace

void turn_upright(ImageView stored, int orientation, Image& upright) {
  if (orientation < 1 || orientation > 8) orientation = 1;
  upright.width = orientation < 5 ? stored.width : stored.height;
  upright.height = orientation < 5 ? stored.height : stored.width;
  upright.pixels.resize(upright.stride() * static_cast<size_t>(upright.height));
  if (orientation == 1) {
    for (int y = 0; y < stored.height; ++y) std::memcpy(upright.row(y), stored.row(y), upright.stride());
    return;
  }
  const Steps steps = steps_through(stored, orientation);
  // Square by square: rows that are stored as columns would otherwise miss the cache at every pixel.
  constexpr int kSquare = 32;
  for (int top = 0; top < upright.height; top += kSquare)
    for (int left = 0; left < upright.width; left += kSquare)
      for (int y = top; y < std::min(top + kSquare, upright.height); ++y) {
        uint8_t* to = upright.row(y) + static_cast<std::ptrdiff_t>(left) * kChannels;
        const uint8_t* from = steps.first + y * steps.down + left * steps.across;
        for (int x = left; x < std::min(left + kSquare, upright.width); ++x) {
          std::copy_n(from, kChannels, to);
          to += kChannels;
          from += steps.across;
        }
      }
}

}  // namespace nowhere
