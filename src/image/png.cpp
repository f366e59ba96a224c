#include "image/png.h"

#include <spng.h>

#include <cstdlib>
#include <memory>

#include "core/error.h"

namespace nowhere {

std::vector<uint8_t> spng_encode(const Image& image) {
  constexpr int kCompression = 2;
  constexpr int kRunLengths = 3;  // zlib's Z_RLE: half the time, and smaller files where there are edges
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(SPNG_CTX_ENCODER), spng_ctx_free);
  spng_ihdr header{};
  header.width = static_cast<uint32_t>(image.width);
  header.height = static_cast<uint32_t>(image.height);
  header.bit_depth = 8;
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  int failure = 0;
  const auto step = [&](int result) { failure = failure != 0 ? failure : result; };
  step(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  step(spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, kCompression));
  step(spng_set_option(context.get(), SPNG_IMG_COMPRESSION_STRATEGY, kRunLengths));
  step(spng_set_option(context.get(), SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_SUB));
  step(spng_set_ihdr(context.get(), &header));
  step(spng_encode_image(context.get(), image.pixels.data(), image.pixels.size(), SPNG_FMT_PNG,
                         SPNG_ENCODE_FINALIZE));
  size_t size = 0;
  const std::unique_ptr<void, void (*)(void*)> bytes(
      failure != 0 ? nullptr : spng_get_png_buffer(context.get(), &size, &failure), std::free);
  if (failure != 0 || !bytes) throw Error(std::string("cannot encode a PNG: ") + spng_strerror(failure));
  const auto* begin = static_cast<const uint8_t*>(bytes.get());
  return {begin, begin + size};
}

}  // namespace nowhere
