#include "kernels/winograd_desk.h"

#include "kernels/block_product.h"

namespace nowhere {

void multiply_tiles(const Spectra& tiles, int64_t set, int64_t count, TapRows taps, int64_t columns, bool add,
                    const Spectrum& weights, const Spectrum& results) {
  for (int64_t block = 0; block < tiles.blocks().count(); ++block) {
    const BlockShape shape{count, tiles.blocks().size(block), padded(columns)};
    transform_taps(taps, shape.depth, columns, weights);
    const Spectrum left = tiles.at(set, block, 0);
    for (int64_t f = 0; f < kFrequencies; ++f)
      multiply_block({left.first + f * left.stride, tiles.blocks().width(block), 1},
                     weights.first + f * weights.stride, shape, add || block > 0,
                     results.first + f * results.stride);
    for (const float*& tap : taps.taps) tap += shape.depth * taps.row_stride;
  }
}

}  // namespace nowhere
