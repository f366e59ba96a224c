// What the passes that make maps by Winograd's transforms have in common: how they are divided into jobs,
// what a worker has of its own for them, and the product.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/blocks.h"
#include "kernels/spectra.h"

namespace nowhere {

constexpr int64_t kTileRows = 48;  // tiles of a product: a multiple of the rows that it makes at a time
constexpr int64_t kFewTiles = 12;  // for fewer, transforming the weights would take most of the time

// Of the matrices of a spectrum whose rows and columns are blocks.
constexpr int64_t kBlockStride = kBlock * kBlock + kSpectrumGap;

// How a product is divided into jobs: its rows into blocks of tiles, and those into groups of columns. A job
// transforms its tiles itself, so that spectra do not wander from core to core; groups transform the same
// tiles each, which costs little where there are many columns. No sum depends on the division.
class Division {
 public:
  // Tiles that stay in one block come `inseparable` at a time.
  Division(int64_t tiles, int64_t inseparable, int64_t columns, int64_t workers)
      : units_(tiles / inseparable),
        inseparable_(inseparable),
        columns_(columns),
        blocks_(std::min(units_, quotient_up(tiles, kTileRows))) {
    if (blocks_ >= workers) {
      blocks_ = std::min(units_, quotient_up(blocks_, workers) * workers);
      if (blocks_ % workers != 0) groups_ = std::min(columns, workers);
      return;
    }
    groups_ = std::min(columns, quotient_up(workers, blocks_));
    blocks_ =
        std::clamp(quotient_up(workers, groups_), blocks_, std::min(units_, quotient_up(tiles, kFewTiles)));
  }

  int64_t jobs() const { return blocks_ * groups_; }
  int64_t most_tiles() const { return std::min(kTileRows, quotient_up(units_, blocks_) * inseparable_); }
  Range tiles(int64_t job) const {
    const Range units = Range::part(units_, job / groups_, blocks_);
    return {units.first * inseparable_, units.count * inseparable_};
  }
  Range columns(int64_t job) const { return Range::part(columns_, job % groups_, groups_); }

 private:
  int64_t units_, inseparable_, columns_, blocks_, groups_ = 1;
};

// What each worker has of its own: the spectra of its tiles, of a block of weights and of a block of results.
class Desks {
 public:
  Desks(int64_t workers, int64_t sets, int64_t channels, int64_t most_tiles)
      : numbers_(new_buffer(workers * 2 * kNumbers)) {
    for (int64_t i = 0; i < workers; ++i) tiles_.emplace_back(sets, channels, most_tiles);
  }
  Spectra& tiles(int64_t worker) { return tiles_[static_cast<size_t>(worker)]; }
  Spectrum weights(int64_t worker) const { return {numbers_.get() + worker * 2 * kNumbers, kBlockStride}; }
  Spectrum results(int64_t worker) const { return {weights(worker).first + kNumbers, kBlockStride}; }

 private:
  static constexpr int64_t kNumbers = kFrequencies * kBlockStride;
  std::vector<Spectra> tiles_;
  Buffer numbers_;
};

// results [tiles, width] = (or +=) the tiles of one set times the taps, over all channels of the tiles.
// `columns` of the taps are used; `weights` is where their spectra are made.
void multiply_tiles(const Spectra& tiles, int64_t set, int64_t count, TapRows taps, int64_t columns, bool add,
                    const Spectrum& weights, const Spectrum& results);

}  // namespace nowhere
