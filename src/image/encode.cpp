#include "image/encode.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "image/jpeg.h"
#include "image/png.h"
#include "image/vips.h"

namespace nowhere {

std::vector<uint8_t> encode_png(const Image& image) {
  return png_encode(image);
}

std::vector<uint8_t> encode_jpeg(const Image& image, int quality) {
  return encode_jpeg(image.view(), quality);
}

std::vector<uint8_t> encode_jpeg(ImageView image, int quality) {
  JpegEncoder encoder;
  const auto bytes = encoder.encode(image, quality, Chroma::kFull);
  return {bytes.begin(), bytes.end()};
}

std::vector<uint8_t> encode_webp(const Image& image, int quality) {
  return vips_encode({image}, fmt::format(".webp[Q={},effort=2]", quality), 0);
}

std::vector<uint8_t> encode_gif(const std::vector<Image>& frames, int frame_ms) {
  if (frames.empty()) throw Error("an animation needs a frame");
  return encode_gif({.width = frames[0].width,
                     .height = frames[0].height,
                     .count = static_cast<int>(frames.size()),
                     .frame = [&](int number) { return frames[static_cast<size_t>(number)].view(); }},
                    frame_ms);
}

std::vector<uint8_t> encode_gif(const FrameSequence& frames, int frame_ms) {
  return vips_encode_gif(frames, frame_ms);
}

std::vector<uint8_t> encode_webp_animation(const std::vector<Image>& frames, int frame_ms, int quality) {
  return vips_encode(frames, fmt::format(".webp[Q={},effort=0]", quality), frame_ms);
}

namespace {

std::string ending(const std::filesystem::path& path) {
  return lower(path.extension().string());
}

}  // namespace

void check_image_ending(const std::filesystem::path& path) {
  const std::string end = ending(path);
  if (end != ".png" && end != ".jpg" && end != ".jpeg" && end != ".webp")
    throw usage_error(
        fmt::format("{}: the ending says which format to write; give .png, .jpg or .webp", printable(path)));
}

void write_image(const std::filesystem::path& path, const Image& image) {
  check_image_ending(path);
  const std::string end = ending(path);
  write_file(path, end == ".png"    ? encode_png(image)
                   : end == ".webp" ? encode_webp(image)
                                    : encode_jpeg(image));
}

}  // namespace nowhere
