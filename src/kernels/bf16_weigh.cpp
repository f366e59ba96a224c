#include <algorithm>
#include <vector>

#include "kernels/bf16_factors.h"
#include "kernels/bf16_halving.h"
#include "kernels/blocks.h"
#include "kernels/phase_grid.h"

namespace nowhere {
namespace {

constexpr int64_t kMostPositions = 1 << 15, kMostFactors = 1 << 22;  // positions and numbers of a portion
constexpr int64_t kMostDepth = 1 << 12;  // of a product, whose factors are to stay in the second-level cache

// Pictures go through in portions, whose positions are the depth of the products, and portions in parts. All
// parts are equally deep, with zeros behind the last position.
struct DepthDivision {
  int64_t pictures = 0, depth = 0;  // of a portion, of a part

  explicit DepthDivision(const HalvingShape& shape) {
    const int64_t each = PhaseGrid(shape).of_picture(), numbers = shape.kernels + 4 * shape.channels;
    const int64_t most = std::max<int64_t>(1, std::min(kMostPositions, kMostFactors / numbers) / each);
    pictures = quotient_up(shape.pictures, quotient_up(shape.pictures, most));
    const int64_t positions = pictures * each;
    depth = quotient_up(quotient_up(positions, quotient_up(positions, kMostDepth)), kBf16Line) * kBf16Line;
  }

  int64_t parts(const PhaseGrid& grid) const { return quotient_up(grid.positions(), depth); }
};

// The gradient to the weights: of kernel k, tap u of the phases s and channel c, the sum over positions of
// P_s[position][c] * g[position + shift(1 - u)][k], g being the small maps with a line and a column of zeros
// before them. The left factor is g transposed, [kernels, positions and the largest shift]; the right factor
// are the phases in panels, [panels, positions / 2, columns, 2].
class WeighingPortion {
 public:
  WeighingPortion(const HalvingShape& shape, const DepthDivision& division, const float* large,
                  const float* small)
      : shape_(shape),
        phases_(shape, large),
        maps_(shape, small),
        depth_(division.depth),
        parts_(division.parts(phases_.grid())) {}

  int64_t positions() const { return depth_ * parts_; }
  int64_t left_stride() const { return staggered(positions() + phases_.grid().largest_shift()); }

  // One cache line of each row of the left factor, and the rows of the right one that belong to it.
  void lay(int64_t line, Bf16* left, Bf16* right, Bf16* scratch, float* edges) const;

  int64_t products() const { return std::ssize(panels_) * kernels_.count() * kShifts; }
  void multiply(const Range& own, const Bf16* left, const Bf16* right, bool add, const Bf16Product& product,
                float* weights) const;

  // Numbers of lay()'s scratch, and of its edges.
  static int64_t scratch_size(const HalvingShape& s) { return kBf16Line / 2 * staggered(2 * s.kernels); }
  static int64_t edges_size(const HalvingShape& s) { return 4 * 2 * s.channels; }

 private:
  HalvingShape shape_;
  PhaseRows phases_;
  ShiftedRows maps_;
  int64_t depth_, parts_;
  std::vector<Bf16Panel> panels_ = phase_panels(shape_);
  Blocks kernels_{shape_.kernels};
};

void WeighingPortion::lay(int64_t line, Bf16* left, Bf16* right, Bf16* scratch, float* edges) const {
  const int64_t first = line * kBf16Line, stride = staggered(2 * shape_.kernels);
  for (int64_t i = 0; i < kBf16Line; i += 2)
    to_bf16_pairs(maps_.row(first + i), maps_.row(first + i + 1), shape_.kernels, scratch + i / 2 * stride);
  transpose_pairs(scratch, stride / 2, kBf16Line / 2, shape_.kernels, left + first, left_stride() / 2);
  if (first >= positions()) return;
  for (int64_t position = first; position < first + kBf16Line; position += 2) {
    const float *even[2], *odd[2];
    for (int64_t s = 0; s < 2; ++s) {
      even[s] = phases_.row(position, s, edges + s * phases_.size());
      odd[s] = phases_.row(position + 1, s, edges + (2 + s) * phases_.size());
    }
    for (const Bf16Panel& panel : panels_)
      to_bf16_pairs(even[panel.s] + panel.begin, odd[panel.s] + panel.begin, panel.columns,
                    right + panel.first * positions() + position * panel.columns);
  }
}

void WeighingPortion::multiply(const Range& own, const Bf16* left, const Bf16* right, bool add,
                               const Bf16Product& product, float* weights) const {
  const int64_t weights_stride = kKernelTaps * shape_.channels;
  for (int64_t part = 0; part < parts_; ++part)
    for (int64_t i = own.first; i < own.end(); ++i) {  // shifts of the same factors follow each other
      const int64_t u = i % kShifts, rows = i / kShifts % kernels_.count();
      const Bf16Panel& panel = panels_[static_cast<size_t>(i / kShifts / kernels_.count())];
      const Bf16* from =
          left + rows * kBlock * left_stride() + part * depth_ + phases_.grid().shift(kShifts - 1 - u);
      const Bf16* factor = right + panel.first * positions() + part * depth_ * panel.columns;
      float* to = weights + rows * kBlock * weights_stride + taps_begin(shape_, u, panel.s) + panel.begin;
      product.multiply({kernels_.size(rows), panel.columns, depth_}, {from, left_stride()},
                       {factor, panel.columns}, {to, weights_stride}, add || part > 0);
    }
}

}  // namespace

void bf16_weigh(const HalvingShape& shape, const float* large, const float* small, float* weights,
                const Bf16Product& product, const Workers& workers) {
  const DepthDivision division(shape);
  HalvingShape portion_shape = shape;
  portion_shape.pictures = division.pictures;
  Bf16Buffer left, right;
  const int64_t scratch_size = WeighingPortion::scratch_size(shape),
                edges_size = WeighingPortion::edges_size(shape);
  const Bf16Buffer scratch = new_bf16_buffer(workers.count * scratch_size);
  const Buffer edges = new_buffer(workers.count * edges_size);
  for (int64_t first = 0; first < shape.pictures; first += division.pictures) {
    portion_shape.pictures = std::min(division.pictures, shape.pictures - first);
    const WeighingPortion portion(portion_shape, division,
                                  large + shape.large_size() / shape.pictures * first,
                                  small + shape.small_size() / shape.pictures * first);
    if (first == 0) {  // the largest portion
      left = new_bf16_buffer(shape.kernels * portion.left_stride());
      right = new_bf16_buffer(4 * shape.channels * portion.positions());
    }
    workers.run(portion.left_stride() / kBf16Line, [&](int64_t line, int64_t worker) {
      portion.lay(line, left.get(), right.get(), scratch.get() + worker * scratch_size,
                  edges.get() + worker * edges_size);
    });
    const int64_t jobs = std::min(portion.products(), workers.count);
    workers.run(jobs, [&](int64_t job, int64_t) {
      portion.multiply(Range::part(portion.products(), job, jobs), left.get(), right.get(), first > 0,
                       product, weights);
      if (product.release) product.release();
    });
  }
}

}  // namespace nowhere
