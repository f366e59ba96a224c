#include "image/grid.h"

#include <algorithm>

#include "core/error.h"

namespace nowhere {

Image make_grid(const std::vector<Image>& pictures, int columns, int padding, uint8_t background) {
  if (pictures.empty() || columns < 1) throw Error("a grid needs at least one picture and one column");
  const int count = static_cast<int>(pictures.size());
  const int across = std::min(columns, count);
  const int down = (count + across - 1) / across;
  const int width = pictures[0].width, height = pictures[0].height;
  Image grid(padding + across * (width + padding), padding + down * (height + padding), background);
  for (int i = 0; i < count; ++i) {
    const Image& picture = pictures[static_cast<size_t>(i)];
    if (picture.width != width || picture.height != height)
      throw Error("the pictures of a grid differ in size");
    const int left = padding + (i % across) * (width + padding);
    const int top = padding + (i / across) * (height + padding);
    for (int y = 0; y < height; ++y)
      std::copy_n(picture.row(y), picture.stride(),
                  grid.row(top + y) + static_cast<size_t>(left) * kChannels);
  }
  return grid;
}

Image make_sheet(const std::vector<Image>& pictures, uint8_t background) {
  constexpr int kColumns = 8, kPadding = 2;
  return make_grid(pictures, kColumns, kPadding, background);
}

}  // namespace nowhere
