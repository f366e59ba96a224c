// The second half of a transposed convolution done as a matrix product: the product's rows are summed into a map.
#pragma once

#include <cstdint>

namespace nowhere {

// One picture: columns [side*side, 4*4*channels], a row for each place of the small map, are summed into the map of twice
// the side, out [2*side, 2*side, channels], on top of bias [channels]. Kernel 4 x 4, stride 2, padding 1. The bits of the
// sums are the same on every processor.
void scatter_picture(const float* columns, int64_t side, int64_t channels, const float* bias, float* out);

}  // namespace nowhere
