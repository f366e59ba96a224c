#include "kernels/spectra.h"

#include <array>

namespace nowhere {
namespace {

using Transform = void (*)(const float* const* places, int64_t channels, const Spectrum& to);

template <size_t kPlaces>
void transform_blocks(Transform transform, const std::array<const float*, kPlaces>& places, int64_t set,
                      int64_t index, const Spectra& to) {
  std::array<const float*, kPlaces> shifted;
  for (int64_t block = 0; block < to.blocks().count(); ++block) {
    for (size_t i = 0; i < kPlaces; ++i) shifted[i] = places[i] + block * kBlock;
    transform(shifted.data(), to.blocks().size(block), to.at(set, block, index));
  }
}

}  // namespace

Spectra::Spectra(int64_t sets, int64_t most_channels, int64_t most_tiles)
    : blocks_{most_channels},
      numbers_(new_buffer(sets * kFrequencies *
                          (most_tiles * padded(most_channels) + blocks_.count() * kSpectrumGap))) {}

Spectrum Spectra::at(int64_t set, int64_t block, int64_t tile) const {
  const int64_t width = blocks_.width(block);
  const int64_t channels_before = set * padded(blocks_.channels) + block * kBlock,
                blocks_before = set * blocks_.count() + block;
  const int64_t before = (channels_before * tiles_ + blocks_before * kSpectrumGap) * kFrequencies;
  return {numbers_.get() + before + tile * width, tiles_ * width + kSpectrumGap};
}

Tiles::Tiles(const HalvingShape& shape)
    : pictures_(shape.pictures),
      rows_(quotient_up(shape.small_height(), kTileSide)),
      columns_(quotient_up(shape.small_width(), kTileSide)) {}

void transform_phase(const PaddedMaps& large, const Tile& tile, const Phase& phase, int64_t set,
                     int64_t index, const Spectra& to) {
  std::array<const float*, kFrequencies> places;
  for (int64_t i = 0; i < kFrequencies; ++i)
    places[i] = large.place(tile.picture, 2 * (tile.y + i / kPatchSide) + phase.y - 1,
                            2 * (tile.x + i % kPatchSide) + phase.x - 1);
  transform_blocks(transform_patch, places, set, index, to);
}

void transform_small(const PaddedMaps& small, const Tile& tile, int64_t index, const Spectra& to) {
  std::array<const float*, kTilePlaces> places;
  for (int64_t i = 0; i < kTilePlaces; ++i)
    places[i] = small.place(tile.picture, tile.y + i / kTileSide, tile.x + i % kTileSide);
  transform_blocks(transform_tile, places, 0, index, to);
}

}  // namespace nowhere
