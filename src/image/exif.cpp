#include "image/exif.h"

#include <algorithm>
#include <array>

namespace nowhere {
namespace {

// Bounds-checked reads of a TIFF block in its byte order; positions outside of it read as 0.
class TiffBlock {
 public:
  explicit TiffBlock(std::span<const uint8_t> bytes)
      : bytes_(bytes), little_(bytes.size() > 1 && bytes[0] == 'I' && bytes[1] == 'I') {}

  uint32_t number(size_t offset, size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < size; ++i)
      value = value << 8 | bytes_[little_ ? offset + size - 1 - i : offset + i];
    return value;
  }

 private:
  std::span<const uint8_t> bytes_;
  bool little_;
};

int exif_orientation(std::span<const uint8_t> segment) {
  constexpr std::array<uint8_t, 6> kExif = {'E', 'x', 'i', 'f', 0, 0};
  constexpr uint32_t kOrientationTag = 0x0112, kLong = 4;  // a type of 4 bytes; the usual one has 2
  if (segment.size() < kExif.size() || !std::equal(kExif.begin(), kExif.end(), segment.begin())) return 1;
  const TiffBlock tiff(segment.subspan(kExif.size()));
  const size_t directory = tiff.number(4, 4);
  const uint32_t entries = tiff.number(directory, 2);
  for (uint32_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + size_t{i} * 12;
    if (tiff.number(entry, 2) != kOrientationTag) continue;
    const uint32_t orientation = tiff.number(entry + 8, tiff.number(entry + 2, 2) == kLong ? 4 : 2);
    return orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation) : 1;
  }
  return 1;
}

bool is_frame_header(uint8_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

}  // namespace

JpegTraits jpeg_traits(std::span<const uint8_t> bytes) {
  constexpr uint8_t kApp1 = 0xe1, kStartOfScan = 0xda;
  JpegTraits traits;
  size_t at = 2;  // after the start marker
  while (at + 4 <= bytes.size() && bytes[at] == 0xff) {
    const uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {  // fill byte
      ++at;
      continue;
    }
    if (marker == kStartOfScan) break;
    const size_t length = static_cast<size_t>(bytes[at + 2]) << 8 | bytes[at + 3];
    if (length < 2 || at + 2 + length > bytes.size()) break;
    const auto segment = bytes.subspan(at + 4, length - 2);
    if (marker == kApp1 && traits.orientation == 1) traits.orientation = exif_orientation(segment);
    if (is_frame_header(marker) && segment.size() >= 6) traits.components = segment[5];
    at += 2 + length;
  }
  return traits;
}

}  // namespace nowhere
