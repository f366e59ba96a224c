// JPEG by libjpeg-turbo: where training from photographs spends most of its time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/error.h"
#include "image/crop_size.h"
#include "image/image.h"

namespace nowhere {

// Decodes many JPEGs with one decompressor, whose memory is reused. One per thread.
class JpegDecoder {
 public:
  JpegDecoder();
  ~JpegDecoder();
  JpegDecoder(JpegDecoder&&) noexcept;
  JpegDecoder& operator=(JpegDecoder&&) noexcept;

  // Decodes into `image`, whose memory is reused. When not all of the detail is wanted the picture may be
  // shrunk by 2, 4 or 8 (a cheaper inverse DCT), with the crop's side still at least twice as long as after
  // the resize, so that the antialiased resize that follows decides about the quality.
  Result<void> decode(std::span<const uint8_t> bytes, const Detail& detail, Image& image);

  // The shorter side of the last picture, in pixels, before it was shrunk.
  int short_side() const { return short_side_; }

 private:
  struct Handle;
  Result<void> try_decode(std::span<const uint8_t> bytes, const Detail& detail, Image& image);

  std::unique_ptr<Handle> handle_;
  int short_side_ = 0;
};

enum class Chroma { kFull, kHalf };  // 4:4:4 or 4:2:0

// Encodes many pictures with one compressor. One per thread.
class JpegEncoder {
 public:
  JpegEncoder();
  ~JpegEncoder();
  JpegEncoder(JpegEncoder&&) noexcept;
  JpegEncoder& operator=(JpegEncoder&&) noexcept;

  // The bytes are valid until the next call.
  std::span<const uint8_t> encode(ImageView image, int quality, Chroma chroma);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace nowhere
