// Any bytes through the decoder: they come out as a picture or as a reason, never as a crash.
#include <cstdint>
#include <span>

#include "image/decode.h"
#include "image/resize.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nowhere::Decoder decoder;
  nowhere::Image image;
  const std::span<const uint8_t> bytes(data, size);
  // Both ways through the JPEG path; a small limit on what comes out keeps the run quick.
  if (decoder.decode(bytes, 0, image) && image.pixels.size() < 1'000'000)
    nowhere::Resizer().resize(image.view(), 16, 16);
  static_cast<void>(decoder.decode(bytes, 32, image));
  return 0;
}
