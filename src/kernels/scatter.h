// The second half of a transposed convolution that is done as a matrix product: the rows of the product are
// summed into a map.
#pragma once

#include <cstdint>

namespace nowhere {

constexpr int64_t kKernelSide = 4;

// One picture: columns [side*side, 4*4*channels], a row for each place of the small map, are summed into the
// map of twice the side, out [2*side, 2*side, channels], on top of bias [channels]. Kernel 4 x 4, stride 2,
// padding 1. Sums have the same bits on every processor: bias first, then the taps of the kernel row by row.
void scatter_picture(const float* columns, int64_t side, int64_t channels, const float* bias, float* out);

}  // namespace nowhere
