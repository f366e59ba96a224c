#include "kernels/doubling_weights.h"

#include <algorithm>

namespace nowhere {
namespace {

constexpr int64_t kPhaseTaps = kKernelTaps / kPhases;

}  // namespace

TapRows doubling_taps(const float* weights, int64_t channels, int64_t phase, int64_t panel) {
  TapRows rows{{}, kKernelTaps * channels};
  for (int64_t u = 0; u < kPhaseTaps; ++u)
    rows.taps[u] = weights + Phase(phase).tap(u) * channels + panel * kBlock;
  return rows;
}

DoublingWeights::DoublingWeights(std::span<const float> weights, int64_t kernels, int64_t channels)
    : kernels_(kernels), panels_{channels}, numbers_(new_buffer(kernels * kKernelTaps * channels)) {
  for (int64_t phase = 0; phase < kPhases; ++phase)
    for (int64_t panel = 0; panel < panels_.count(); ++panel) {
      const TapRows from = doubling_taps(weights.data(), channels, phase, panel);
      float* to = rows_of(phase, panel);
      for (int64_t row = 0; row < kernels; ++row)
        for (const float* tap : from.taps)
          to = std::copy_n(tap + row * from.row_stride, panels_.size(panel), to);
    }
}

TapRows DoublingWeights::taps(int64_t phase, int64_t panel) const {
  const int64_t width = panels_.size(panel);
  TapRows rows{{}, kPhaseTaps * width};
  for (int64_t u = 0; u < kPhaseTaps; ++u) rows.taps[u] = rows_of(phase, panel) + u * width;
  return rows;
}

float* DoublingWeights::rows_of(int64_t phase, int64_t panel) const {
  return numbers_.get() + (phase * panels_.channels + panel * kBlock) * kernels_ * kPhaseTaps;
}

}  // namespace nowhere
