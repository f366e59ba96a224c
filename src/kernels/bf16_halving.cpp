#include "kernels/bf16_halving.h"

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/bf16_factors.h"
#include "kernels/blocks.h"
#include "kernels/phase_grid.h"

namespace nowhere {
namespace {

constexpr int64_t kFewestRows = 64, kMostRows = 256;  // of a product
constexpr int64_t kMostNumbers = 1 << 19;             // of a product's rows, for the second-level cache

// How the products of a pass are divided: into blocks of rows, and those into groups of panels. A job makes
// the rows that it multiplies itself, so that they stay in its cache; groups make the same rows each, so
// there are as few as keep the workers busy. The products depend on the shape alone, and all blocks are
// equally large: the caller's product may have to prepare itself for every new shape.
class RowDivision {
 public:
  RowDivision(int64_t positions, int64_t depth, int64_t panels, int64_t workers) : panels_(panels) {
    const int64_t most = std::clamp(kMostNumbers / depth, kFewestRows, kMostRows);
    rows_ = quotient_up(quotient_up(positions, quotient_up(positions, most)), kBf16Line) * kBf16Line;
    blocks_ = quotient_up(positions, rows_);
    const auto busy = [&] { return 8 * jobs() >= 7 * quotient_up(jobs(), workers) * workers; };
    while (groups_ < panels && !busy()) ++groups_;
  }

  int64_t jobs() const { return blocks_ * groups_; }
  int64_t rows() const { return rows_; }  // of a block
  int64_t first_row(int64_t job) const { return job / groups_ * rows_; }
  Range panels(int64_t job) const { return Range::part(panels_, job % groups_, groups_); }

 private:
  int64_t panels_, rows_ = 0, blocks_ = 0, groups_ = 1;
};

// What each worker has of its own: a block's rows and those that the shifts look at, and a panel of sums.
class RowDesks {
 public:
  RowDesks(int64_t workers, int64_t rows, const PhaseGrid& grid, int64_t depth)
      : stride_(staggered(depth)),
        count_(rows + grid.largest_shift()),
        sums_size_(rows * kBlock),
        rows_(new_bf16_buffer(workers * count_ * stride_)),
        sums_(new_buffer(workers * sums_size_)) {}

  int64_t count() const { return count_; }
  Bf16* row(int64_t worker, int64_t index) const { return rows_.get() + (worker * count_ + index) * stride_; }
  Bf16Matrix rows(int64_t worker, int64_t first) const { return {row(worker, first), stride_}; }
  Bf16Sums sums(int64_t worker) const { return {sums_.get() + worker * sums_size_, kBlock}; }

 private:
  int64_t stride_, count_, sums_size_;
  Bf16Buffer rows_;
  Buffer sums_;
};

// lay(position, row, worker) makes a row; write(place, panel, sums) takes its sums of a panel's columns.
template <class Lay, class Write>
void run_pass(const PhaseGrid& grid, const Bf16Factors& factors, const std::vector<Bf16Panel>& panels,
              const Lay& lay, const Write& write, const Bf16Product& product, const Workers& workers) {
  const int64_t depth = factors.depth();
  const RowDivision division(grid.positions(), depth, std::ssize(panels), workers.count);
  const RowDesks desks(workers.count, division.rows(), grid, depth);
  workers.run(division.jobs(), [&](int64_t job, int64_t worker) {
    const int64_t first = division.first_row(job);
    for (int64_t i = 0; i < desks.count(); ++i) lay(first + i, desks.row(worker, i), worker);
    const Range own = division.panels(job);
    const Bf16Sums sums = desks.sums(worker);
    for (const Bf16Panel& panel :
         std::span(panels).subspan(static_cast<size_t>(own.first), static_cast<size_t>(own.count))) {
      for (int64_t u = 0; u < kShifts; ++u)
        product.multiply({division.rows(), panel.columns, depth}, desks.rows(worker, grid.shift(u)),
                         factors.at(panel, u), sums, u > 0);
      const int64_t count = std::min(division.rows(), grid.positions() - first);
      for (int64_t i = 0; i < count; ++i) write(grid[first + i], panel, sums.first + i * sums.stride);
    }
    if (product.release) product.release();
  });
}

}  // namespace

void bf16_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                const Bf16Product& product, const Workers& workers) {
  const PhaseRows phases(shape, large);
  const Bf16Factors factors = Bf16Factors::of_halving(shape, weights, workers);
  const Buffer edges = new_buffer(workers.count * phases.size());
  const int64_t height = shape.small_height(), width = shape.small_width();
  run_pass(
      phases.grid(), factors, kernel_panels(shape),
      [&](int64_t position, Bf16* row, int64_t worker) {
        for (int64_t s = 0; s < 2; ++s)
          to_bf16(phases.row(position, s, edges.get() + worker * phases.size()), phases.size(),
                  row + s * phases.size());
      },
      [&](const PhaseGrid::Place& at, const Bf16Panel& panel, const float* sums) {
        if (at.y < height && at.x < width)
          std::copy_n(sums, panel.columns,
                      small + ((at.picture * height + at.y) * width + at.x) * shape.kernels + panel.first);
      },
      product, workers);
}

void bf16_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                 const Bf16Product& product, const Workers& workers) {
  const ShiftedRows maps(shape, small);
  const Bf16Factors factors = Bf16Factors::of_doubling(shape, weights, workers);
  const int64_t line = shape.width * shape.channels;
  run_pass(
      maps.grid(), factors, phase_panels(shape),
      [&](int64_t position, Bf16* row, int64_t) {
        to_bf16(maps.row(position), shape.kernels, row);
        if (shape.kernels < factors.depth()) row[shape.kernels] = 0;
      },
      [&](const PhaseGrid::Place& at, const Bf16Panel& panel, const float* sums) {
        const int64_t y = 2 * at.y + panel.s - 1;
        if (y < 0 || y >= shape.height) return;
        // The part of the columns that is in the line: at its ends, one of the phases is outside.
        const int64_t begin = (2 * at.x - 1) * shape.channels + panel.begin,
                      end = std::min(line, begin + panel.columns), inside = std::max<int64_t>(0, begin);
        if (inside < end)
          std::copy(sums + (inside - begin), sums + (end - begin),
                    large + (at.picture * shape.height + y) * line + inside);
      },
      product, workers);
}

}  // namespace nowhere
