// The transposed convolution of a generator that makes pictures, which have few channels. As in
// winograd_double, but all phases of all channels are columns of one product, and its weights are transformed
// once.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/blocks.h"
#include "kernels/buffer.h"
#include "kernels/spectra.h"

namespace nowhere {

class LastLayer {
 public:
  static constexpr int64_t kMostChannels = kBlock / kPhases;

  // weights [in, 4, 4, channels]
  LastLayer(std::span<const float> weights, int64_t channels);

  // maps [count, side, side, in] -> pictures [count, 2 * side, 2 * side, channels]. A picture's bits depend
  // on its own maps alone.
  void make(const float* maps, int64_t count, int64_t side, float* pictures) const;

 private:
  Spectrum weights_at(int64_t block) const;
  // The tiles of a picture give their shares [side + 1, side + 1, width]; see `interleave`.
  void share(const PaddedMaps& maps, const Tiles& tiles, int64_t picture, Spectra& spectra,
             const Spectrum& results, float* shares) const;

  Blocks rows_;
  int64_t channels_, width_;  // of all phases, padded
  Buffer numbers_;            // [blocks of rows, frequencies, rows of the block, width]
};

}  // namespace nowhere
