// Decodes any bytes: the result is a picture or a failure, never a crash.
#include <cstdint>
#include <span>

#include "image/decode.h"
#include "image/resize.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nowhere::Decoder decoder;
  nowhere::Image image;
  const std::span<const uint8_t> bytes(data, size);
  // With and without shrinking; a small limit on the size keeps the run quick.
  if (decoder.decode(bytes, {}, image) && image.pixels.size() < 1'000'000)
    nowhere::Resizer().resize(image.view(), 16, 16);
  static_cast<void>(decoder.decode(bytes, {.side = 32}, image));
  return 0;
}
