#include "kernels/winograd_desk.h"

#include "kernels/block_product.h"

namespace nowhere {
namespace {

// Into the cache of the core, where the next transform will read them; behind the last rows in vain.
void fetch_taps(const TapRows& taps, const Range& rows, int64_t columns) {
  constexpr int kToRead = 0, kIntoSecondLevel = 2;
  for (int64_t row = rows.first; row < rows.end(); ++row)
    for (const float* tap : taps.taps)
      for (int64_t c = 0; c < columns; c += kBlockLanes)
        __builtin_prefetch(tap + row * taps.row_stride + c, kToRead, kIntoSecondLevel);
}

}  // namespace

void multiply_tiles(const Spectra& tiles, int64_t set, int64_t count, TapRows taps, int64_t columns, bool add,
                    const Spectrum& weights, const Spectrum& results) {
  for (int64_t block = 0; block < tiles.blocks().count(); ++block) {
    const BlockShape shape{count, tiles.blocks().size(block), padded(columns)};
    transform_taps(taps, shape.depth, columns, weights);
    const Spectrum left = tiles.at(set, block, 0);
    for (const float*& tap : taps.taps) tap += shape.depth * taps.row_stride;
    for (int64_t f = 0; f < kFrequencies; ++f) {
      // A part of the next block's taps at a time: memory has time for them while this block is multiplied.
      fetch_taps(taps, Range::part(kBlock, f, kFrequencies), columns);
      multiply_block({left.first + f * left.stride, tiles.blocks().width(block), 1},
                     weights.first + f * weights.stride, shape, add || block > 0,
                     results.first + f * results.stride);
    }
  }
}

}  // namespace nowhere
