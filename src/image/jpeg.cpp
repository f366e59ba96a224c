#include "image/jpeg.h"

#include <turbojpeg.h>

#include <fmt/core.h>

#include <algorithm>

#include "image/limits.h"

namespace nowhere {

struct JpegDecoder::Handle {
  tjhandle turbo = tjInitDecompress();
  ~Handle() { tjDestroy(turbo); }
};

JpegDecoder::JpegDecoder() : handle_(std::make_unique<Handle>()) {
  if (handle_->turbo == nullptr) throw Error("cannot start the JPEG decoder: out of memory");
}
JpegDecoder::~JpegDecoder() = default;
JpegDecoder::JpegDecoder(JpegDecoder&&) noexcept = default;
JpegDecoder& JpegDecoder::operator=(JpegDecoder&&) noexcept = default;

namespace {

Failure jpeg_failure(tjhandle turbo) {
  return Failure{fmt::format("damaged JPEG: {}", tjGetErrorStr2(turbo))};
}

// The largest of 1, 2, 4, 8 that leaves the crop's side at least twice as long as after the resize. Only
// these have SIMD code; 3/8 and 7/8 are slower than decoding at full size.
int dct_shrink(int short_side, const Detail& detail) {
  if (detail.side <= 0) return 1;
  const int crop = detail.crop.side(short_side, detail.side);
  int shrink = 1;
  while (shrink < 8 && crop / (shrink * 2) >= 2 * detail.side) shrink *= 2;
  return shrink;
}

}  // namespace

Result<void> JpegDecoder::decode(std::span<const uint8_t> bytes, const Detail& detail, Image& image) {
  auto decoded = try_decode(bytes, detail, image);
  // After a failure the decompressor is still in the middle of that file, and would take the next one for its
  // rest.
  if (!decoded) handle_ = std::make_unique<Handle>();
  return decoded;
}

Result<void> JpegDecoder::try_decode(std::span<const uint8_t> bytes, const Detail& detail, Image& image) {
  tjhandle turbo = handle_->turbo;
  int width = 0, height = 0, subsampling = 0, colourspace = 0;
  if (tjDecompressHeader3(turbo, bytes.data(), bytes.size(), &width, &height, &subsampling, &colourspace) !=
      0)
    return jpeg_failure(turbo);
  if (auto fits = check_size(width, height); !fits) return fits.error();

  short_side_ = std::min(width, height);
  const int shrink = dct_shrink(short_side_, detail);
  const tjscalingfactor scale{1, shrink};
  image.width = TJSCALED(width, scale);
  image.height = TJSCALED(height, scale);
  image.pixels.resize(image.stride() * static_cast<size_t>(image.height));
  // libjpeg only warns about a truncated file and fills the rest with grey, so a warning is a failure here.
  // When the picture is shrunk afterwards, the finer chroma interpolation would make no difference.
  const int flags = TJFLAG_STOPONWARNING | (detail.side > 0 ? TJFLAG_FASTUPSAMPLE : 0);
  if (tjDecompress2(turbo, bytes.data(), bytes.size(), image.pixels.data(), image.width, 0, image.height,
                    TJPF_RGB, flags) != 0)
    return jpeg_failure(turbo);
  return {};
}

struct JpegEncoder::Handle {
  tjhandle turbo = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long capacity = 0;
  ~Handle() {
    tjFree(bytes);
    tjDestroy(turbo);
  }
};

JpegEncoder::JpegEncoder() : handle_(std::make_unique<Handle>()) {
  if (handle_->turbo == nullptr) throw Error("cannot start the JPEG encoder: out of memory");
}
JpegEncoder::~JpegEncoder() = default;
JpegEncoder::JpegEncoder(JpegEncoder&&) noexcept = default;
JpegEncoder& JpegEncoder::operator=(JpegEncoder&&) noexcept = default;

std::span<const uint8_t> JpegEncoder::encode(ImageView image, int quality, Chroma chroma) {
  unsigned long size = handle_->capacity;
  const int subsampling = chroma == Chroma::kFull ? TJSAMP_444 : TJSAMP_420;
  if (tjCompress2(handle_->turbo, image.data, image.width, static_cast<int>(image.stride), image.height,
                  TJPF_RGB, &handle_->bytes, &size, subsampling, quality, TJFLAG_ACCURATEDCT) != 0)
    throw Error(fmt::format("cannot encode a {}x{} JPEG: {}", image.width, image.height,
                            tjGetErrorStr2(handle_->turbo)));
  handle_->capacity = std::max(handle_->capacity, size);
  return {handle_->bytes, size};
}

}  // namespace nowhere
