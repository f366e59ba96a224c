// PNG by libspng: for small pictures libvips spends as long on preparations as on encoding.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"

namespace nowhere {

// 8-bit RGB with low compression: photographs gain little from more. Throws when out of memory.
std::vector<uint8_t> spng_encode(const Image& image);

}  // namespace nowhere
