#include "kernels/bf16_factors.h"

#include <algorithm>
#include <vector>

#include "kernels/phase_grid.h"

namespace nowhere {
namespace {

constexpr int64_t kKernelsOfJob = 16;  // whose pairs fill a cache line

void append_panels(std::vector<Bf16Panel>& panels, int64_t columns, int64_t s) {
  const Blocks blocks{columns};
  for (int64_t i = 0; i < blocks.count(); ++i)
    panels.push_back({s * columns + i * kBlock, blocks.size(i), s, i * kBlock});
}

}  // namespace

std::vector<Bf16Panel> kernel_panels(const HalvingShape& shape) {
  std::vector<Bf16Panel> panels;
  append_panels(panels, shape.kernels, 0);
  return panels;
}

std::vector<Bf16Panel> phase_panels(const HalvingShape& shape) {
  std::vector<Bf16Panel> panels;
  for (int64_t s = 0; s < 2; ++s) append_panels(panels, 2 * shape.channels, s);
  return panels;
}

Bf16Factors::Bf16Factors(int64_t depth, int64_t columns)
    : depth_(depth), numbers_(new_bf16_buffer(kShifts * depth * columns)) {}

Bf16* Bf16Factors::begin(const Bf16Panel& panel, int64_t u) const {
  return numbers_.get() + (panel.first * kShifts + u * panel.columns) * depth_;
}

// A kernel's numbers of a shift are a row of pairs; transposed, they are a column.
Bf16Factors Bf16Factors::of_halving(const HalvingShape& shape, const float* weights, const Workers& workers) {
  const int64_t depth = 4 * shape.channels, stride = staggered(depth), own = kKernelsOfJob * stride;
  Bf16Factors made(depth, shape.kernels);
  const Bf16Buffer scratch = new_bf16_buffer(workers.count * own);
  const std::vector<Bf16Panel> panels = kernel_panels(shape);
  workers.run(quotient_up(shape.kernels, kKernelsOfJob) * kShifts, [&](int64_t job, int64_t worker) {
    const int64_t u = job % kShifts, first = job / kShifts * kKernelsOfJob,
                  count = std::min(kKernelsOfJob, shape.kernels - first);
    Bf16* rows = scratch.get() + worker * own;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t s = 0; s < 2; ++s)
        to_bf16(weights + (first + i) * kKernelTaps * shape.channels + taps_begin(shape, u, s),
                2 * shape.channels, rows + i * stride + s * 2 * shape.channels);
    const Bf16Panel& panel = panels[static_cast<size_t>(first / kBlock)];
    transpose_pairs(rows, stride / 2, count, depth / 2, made.begin(panel, u) + (first - panel.first) * 2,
                    panel.columns);
  });
  return made;
}

Bf16Factors Bf16Factors::of_doubling(const HalvingShape& shape, const float* weights,
                                     const Workers& workers) {
  Bf16Factors made(quotient_up(shape.kernels, 2) * 2, 4 * shape.channels);
  const std::vector<Bf16Panel> panels = phase_panels(shape);
  const std::vector<float> zeros(kBlock);
  workers.run(std::ssize(panels) * kShifts, [&](int64_t job, int64_t) {
    const Bf16Panel& panel = panels[static_cast<size_t>(job / kShifts)];
    const int64_t u = job % kShifts;
    Bf16* to = made.begin(panel, u);
    const float* from = weights + taps_begin(shape, kShifts - 1 - u, panel.s) + panel.begin;
    for (int64_t kernel = 0; kernel < shape.kernels; kernel += 2, to += 2 * panel.columns) {
      const float* even = from + kernel * kKernelTaps * shape.channels;
      const float* odd = kernel + 1 < shape.kernels ? even + kKernelTaps * shape.channels : zeros.data();
      to_bf16_pairs(even, odd, panel.columns, to);
    }
  });
  return made;
}

}  // namespace nowhere
