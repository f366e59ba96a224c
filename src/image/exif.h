// Properties of a JPEG that decide how it is decoded.
#pragma once

#include <cstdint>
#include <span>

namespace nowhere {

struct JpegTraits {
  int orientation = 1;  // EXIF: 1 is upright, 2 to 8 are rotated or mirrored
  int components = 3;   // 1 grey, 3 colour, 4 CMYK
};

// Reads the segments in front of the picture. In a damaged file the defaults remain: the decoder will report
// the damage.
JpegTraits jpeg_traits(std::span<const uint8_t> bytes);

}  // namespace nowhere
