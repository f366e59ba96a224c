// What must be known of a JPEG before the fast path may decode it.
#pragma once

#include <cstdint>
#include <span>

namespace nowhere {

struct JpegTraits {
  int orientation = 1;  // EXIF: 1 is upright, 2 to 8 are the other ways to hold a camera
  int components = 3;   // 1 grey, 3 colour, 4 CMYK
};

// Reads the segments in front of the picture. What cannot be understood is left at its default: the decoder
// will say what is wrong with it.
JpegTraits jpeg_traits(std::span<const uint8_t> bytes);

}  // namespace nowhere
