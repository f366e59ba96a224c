#include "image/label.h"

#include <algorithm>

#include "image/vips.h"

namespace nowhere {
namespace {

constexpr uint8_t kBackground = 255;

void paste(Image& sheet, const Image& picture, int left, int top) {
  const int width = std::min(picture.width, sheet.width - left);
  for (int y = 0; y < std::min(picture.height, sheet.height - top); ++y)
    std::copy_n(picture.row(y), static_cast<size_t>(width) * kChannels,
                sheet.row(top + y) + static_cast<size_t>(left) * kChannels);
}

}  // namespace

Image side_by_side(const std::vector<Labelled>& pictures) {
  constexpr int kGap = 24, kText = 15, kHead = 2 * kText + 10;
  int width = kGap, height = 0;
  for (const Labelled& one : pictures) {
    width += one.image->width + kGap;
    height = std::max(height, one.image->height);
  }
  Image sheet(width, kHead + height + kGap, kBackground);
  int left = kGap;
  for (const Labelled& one : pictures) {
    paste(sheet, vips_text(one.label, kText), left, (kHead - kText) / 2 + 2);
    paste(sheet, *one.image, left, kHead);
    left += one.image->width + kGap;
  }
  return sheet;
}

}  // namespace nowhere
