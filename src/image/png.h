// PNG files around libdeflate, which compresses a sheet of small pictures in two thirds of the time that zlib
// takes, to fewer bytes. For small pictures libvips spends as long on preparations as on encoding.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"

namespace nowhere {

// 8-bit RGB with low compression: photographs gain little from more.
std::vector<uint8_t> png_encode(const Image& image);

}  // namespace nowhere
