// Many pictures of one size on one sheet.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"

namespace nowhere {

// Row by row, `columns` to a row, `padding` pixels of `background` around each.
Image make_grid(const std::vector<Image>& pictures, int columns, int padding, uint8_t background = 0);

}  // namespace nowhere
