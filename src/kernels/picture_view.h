// A picture as it lies in memory, whatever its layout.
#pragma once

#include <cstdint>

namespace nowhere {

// [colours, side, side], in numbers from one to the next.
struct PictureView {
  const float* first = nullptr;
  int64_t colour_stride = 0, row_stride = 0, column_stride = 0;
};

}  // namespace nowhere
