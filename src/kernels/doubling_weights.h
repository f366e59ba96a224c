// Weights of a transposed convolution, laid out for many calls of winograd_double: what a transform reads
// stands together. In the order of the weights it is rows far apart, which wait for memory and compete for
// the cache.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/buffer.h"
#include "kernels/spectra.h"

namespace nowhere {

class DoublingWeights {
 public:
  // weights [kernels, 4, 4, channels]
  DoublingWeights(std::span<const float> weights, int64_t kernels, int64_t channels);

  int64_t kernels() const { return kernels_; }
  int64_t channels() const { return panels_.channels; }
  // The taps that make a phase of the large map, for a block of channels: rows of kernels.
  TapRows taps(int64_t phase, int64_t panel) const;

 private:
  float* rows_of(int64_t phase, int64_t panel) const;

  int64_t kernels_;
  Blocks panels_;
  Buffer numbers_;  // [phases, panels, kernels, 4, channels of the panel]
};

// The same taps in weights as they are.
TapRows doubling_taps(const float* weights, int64_t channels, int64_t phase, int64_t panel);

}  // namespace nowhere
