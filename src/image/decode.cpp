#include "image/decode.h"

#include <algorithm>
#include <array>

#include "core/file.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "image/exif.h"
#include "image/orientation.h"
#include "image/vips.h"

namespace nowhere {
namespace {

bool starts_with(std::span<const uint8_t> bytes, std::string_view magic, size_t offset = 0) {
  if (bytes.size() < offset + magic.size()) return false;
  return std::equal(magic.begin(), magic.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
}

}  // namespace

Format detect_format(std::span<const uint8_t> bytes) {
  using namespace std::string_view_literals;
  if (starts_with(bytes, "\xff\xd8\xff"sv)) return Format::kJpeg;
  if (starts_with(bytes, "\x89PNG\r\n\x1a\n"sv)) return Format::kPng;
  if (starts_with(bytes, "RIFF"sv) && starts_with(bytes, "WEBP"sv, 8)) return Format::kWebp;
  for (std::string_view magic : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})
    if (starts_with(bytes, magic)) return Format::kTiff;
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6') return Format::kPpm;
  return Format::kUnknown;
}

bool has_photo_ending(std::string_view file_name) {
  constexpr std::array<std::string_view, 7> kEndings = {".jpg",  ".jpeg", ".png", ".tif",
                                                        ".tiff", ".ppm",  ".webp"};
  const size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string ending = lower(file_name.substr(dot));
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

Result<void> Decoder::decode(std::span<const uint8_t> bytes, const Detail& detail, Image& image) {
  const Stopwatch watch;
  Result<void> decoded = decode_now(bytes, detail, image);
  seconds_ += watch.seconds();
  return decoded;
}

Result<void> Decoder::decode_now(std::span<const uint8_t> bytes, const Detail& detail, Image& image) {
  if (bytes.empty()) return Failure{"empty file"};
  const Format format = detect_format(bytes);
  if (format == Format::kUnknown)
    return Failure{"not a photograph: the first bytes are of no known format (JPEG, PNG, TIFF, PPM, WebP)"};
  if (format == Format::kJpeg) {
    const JpegTraits traits = jpeg_traits(bytes);
    if (traits.components != 4) {
      auto decoded = decode_jpeg(bytes, traits.orientation, detail, image);
      short_side_ = jpeg_.short_side();
      return decoded;
    }
  }
  auto decoded = vips_decode(bytes, format, image);
  short_side_ = std::min(image.width, image.height);
  return decoded;
}

Result<void> Decoder::decode_jpeg(std::span<const uint8_t> bytes, int orientation, const Detail& detail,
                                  Image& image) {
  if (orientation == 1) return jpeg_.decode(bytes, detail, image);
  auto decoded = jpeg_.decode(bytes, detail, stored_);
  if (decoded) turn_upright(stored_.view(), orientation, image);
  return decoded;
}

Image read_image(const std::filesystem::path& path) {
  std::vector<uint8_t> bytes;
  Image image;
  if (auto read = read_file(path, bytes); !read) throw data_error(read.error().reason);
  if (auto decoded = Decoder().decode(bytes, {}, image); !decoded)
    throw data_error(printable(path) + ": " + decoded.error().reason);
  return image;
}

}  // namespace nowhere
