// PNG by libspng: libvips takes as long again to set up a small picture as to encode it.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"

namespace nowhere {

// 8-bit RGB, low compression: a street has little to gain from more. Throws when out of memory.
std::vector<uint8_t> spng_encode(const Image& image);

}  // namespace nowhere
