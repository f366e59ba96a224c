// Maps cut into tiles for Winograd's transforms, and the spectra of many tiles laid out for block products.
#pragma once

#include <cstdint>

#include "kernels/blocks.h"
#include "kernels/buffer.h"
#include "kernels/halving.h"
#include "kernels/winograd_transforms.h"

namespace nowhere {

constexpr int64_t kPhases = 4;
// Matrices of a spectrum are a cache line further apart than they are large: at a power of two, all of them
// would compete for the same lines of the cache.
constexpr int64_t kSpectrumGap = kBlockLanes;

// Of some tiles: [sets, blocks of channels, kFrequencies, tiles, width of the block].
class Spectra {
 public:
  Spectra(int64_t sets, int64_t most_channels, int64_t most_tiles);

  // Up to the most; what was there is lost.
  void resize(int64_t channels, int64_t tiles) {
    blocks_ = {channels};
    tiles_ = tiles;
  }
  const Blocks& blocks() const { return blocks_; }
  // Matrices [tiles, width], from the row of this tile on.
  Spectrum at(int64_t set, int64_t block, int64_t tile) const;

 private:
  Blocks blocks_;
  int64_t tiles_ = 0;
  Buffer numbers_;
};

// A tile of the small map, and of the phases of the large one: its first place there.
struct Tile {
  int64_t picture = 0, y = 0, x = 0;
};

// The tiles that cover all small maps, in the order of their places.
class Tiles {
 public:
  explicit Tiles(const HalvingShape& shape);

  int64_t of_a_picture() const { return rows_ * columns_; }
  int64_t count() const { return pictures_ * of_a_picture(); }
  Tile operator[](int64_t index) const {
    return {index / of_a_picture(), index / columns_ % rows_ * kTileSide, index % columns_ * kTileSide};
  }

 private:
  int64_t pictures_, rows_, columns_;
};

// Where a phase begins along both axes: at place 0 or 1 behind the padding.
struct Phase {
  int64_t y = 0, x = 0;

  explicit Phase(int64_t index) : y(index / 2), x(index % 2) {}
  // The kernel's tap that is the phase's tap u of 2 x 2.
  int64_t tap(int64_t u) const { return (2 * (u / 2) + y) * 4 + 2 * (u % 2) + x; }
};

// Maps with zeros around them.
struct PaddedMaps {
  const float* numbers = nullptr;  // [pictures, height, width, channels]
  int64_t height = 0, width = 0, channels = 0;
  const float* zeros = nullptr;  // [channels]

  const float* place(int64_t picture, int64_t y, int64_t x) const {
    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
    return inside ? numbers + ((picture * height + y) * width + x) * channels : zeros;
  }
};

// Each writes row `index` of a set: the spectra of the channels of `to`, at one tile.

// A phase of the large map.
void transform_phase(const PaddedMaps& large, const Tile& tile, const Phase& phase, int64_t set,
                     int64_t index, const Spectra& to);
// The small map.
void transform_small(const PaddedMaps& small, const Tile& tile, int64_t index, const Spectra& to);

}  // namespace nowhere
