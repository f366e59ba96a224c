// The bytes of a photograph to pixels, whatever the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "image/image.h"
#include "image/jpeg.h"

namespace nowhere {

enum class Format { kUnknown, kJpeg, kPng, kTiff, kPpm, kWebp };

// By the first bytes, not by the name of the file.
Format detect_format(std::span<const uint8_t> bytes);

// Whether a file of this name may be a photograph, by its ending in upper or lower case.
bool has_photo_ending(std::string_view file_name);

// Upright 8-bit RGB from any supported file. One per thread.
class Decoder {
 public:
  // Decodes into `image`, whose memory is reused. `detail` as in JpegDecoder::decode; other formats are
  // never shrunk. A truncated, corrupt or oversized file is a failure with a reason, never grey pixels.
  Result<void> decode(std::span<const uint8_t> bytes, const Detail& detail, Image& image);

  // The shorter side of the last picture, in pixels, before it was shrunk.
  int short_side() const { return short_side_; }
  double seconds() const { return seconds_; }  // spent decoding so far

 private:
  Result<void> decode_now(std::span<const uint8_t> bytes, const Detail& detail, Image& image);

  Result<void> decode_jpeg(std::span<const uint8_t> bytes, int orientation, const Detail& detail,
                           Image& image);

  JpegDecoder jpeg_;
  Image stored_;  // a photograph on its way to being turned
  int short_side_ = 0;
  double seconds_ = 0;
};

// The picture in a file. Throws a data error.
Image read_image(const std::filesystem::path& path);

}  // namespace nowhere
