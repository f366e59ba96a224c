// Many pictures of one size on one sheet.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"

namespace nowhere {

// Row by row, with `columns` pictures in each row and `padding` pixels of `background` around each.
Image make_grid(const std::vector<Image>& pictures, int columns, int padding, uint8_t background = 0);

// As the reference lays out the pictures of its fixed noise: 8 to a row, 2 pixels around each.
Image make_sheet(const std::vector<Image>& pictures, uint8_t background = 0);

}  // namespace nowhere
