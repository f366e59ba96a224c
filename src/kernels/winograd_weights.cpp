#include <algorithm>
#include <array>
#include <vector>

#include "kernels/block_product.h"
#include "kernels/spectra.h"
#include "kernels/winograd.h"
#include "kernels/winograd_desk.h"

namespace nowhere {
namespace {

// What each worker has of its own.
struct WeighingDesk {
  explicit WeighingDesk(const HalvingShape& shape)
      : left(1, shape.kernels, kBlock),
        right(1, std::min(kBlock, shape.channels), kBlock),
        numbers(new_buffer(kFrequencies * kBlockStride)) {}
  Spectrum results() const { return {numbers.get(), kBlockStride}; }

  Spectra left, right;  // of tiles of the small maps, and of a phase and block of the large ones
  Buffer numbers;
};

// A product for each phase, block of columns (channels) and block of rows (kernels). A job has some that
// follow each other, and transforms all tiles that they need: spectra stay on one core.
class Weighing {
 public:
  Weighing(const HalvingShape& shape, const float* large, const float* small, float* weights)
      : shape_(shape), tiles_(shape), large_(large), small_(small), weights_(weights) {}

  int64_t products() const { return kPhases * columns_.count() * rows_.count(); }

  // The tiles go through in portions; the sum over them is in their order, whatever the jobs.
  void run(const Range& own, WeighingDesk& desk) const {
    for (int64_t first = 0; first < tiles_.count(); first += kBlock) {
      const Range tiles{first, std::min(kBlock, tiles_.count() - first)};
      transform_left(tiles, desk.left);
      for (int64_t product = own.first; product < own.end(); ++product) {
        if (row_of(product) == 0 || product == own.first) transform_right(tiles, product, desk.right);
        multiply(tiles, product, desk);
      }
    }
  }

 private:
  int64_t row_of(int64_t product) const { return product % rows_.count(); }
  int64_t column_of(int64_t product) const { return product / rows_.count() % columns_.count(); }
  Phase phase_of(int64_t product) const { return Phase(product / rows_.count() / columns_.count()); }

  void transform_left(const Range& tiles, Spectra& to) const {
    const PaddedMaps maps{small_, shape_.small_height(), shape_.small_width(), shape_.kernels,
                          outside_.data()};
    to.resize(shape_.kernels, tiles.count);
    for (int64_t i = 0; i < tiles.count; ++i) transform_small(maps, tiles_[tiles.first + i], i, to);
  }

  void transform_right(const Range& tiles, int64_t product, Spectra& to) const {
    const int64_t column = column_of(product);
    const PaddedMaps maps{large_ + column * kBlock, shape_.height, shape_.width, shape_.channels,
                          outside_.data()};
    to.resize(columns_.size(column), tiles.count);
    for (int64_t i = 0; i < tiles.count; ++i)
      transform_phase(maps, tiles_[tiles.first + i], phase_of(product), 0, i, to);
  }

  void multiply(const Range& tiles, int64_t product, const WeighingDesk& desk) const {
    const int64_t row = row_of(product), column = column_of(product);
    const Spectrum left = desk.left.at(0, row, 0), right = desk.right.at(0, 0, 0), results = desk.results();
    for (int64_t f = 0; f < kFrequencies; ++f)
      multiply_block({left.first + f * left.stride, 1, rows_.width(row)}, right.first + f * right.stride,
                     {rows_.size(row), tiles.count, columns_.width(column)}, false,
                     results.first + f * results.stride);
    std::array<float*, 4> taps;
    for (int64_t u = 0; u < 4; ++u)
      taps[u] = weights_ + (row * kBlock * kKernelTaps + phase_of(product).tap(u)) * shape_.channels +
                column * kBlock;
    gather_taps(results, rows_.size(row), columns_.size(column), tiles.first > 0, taps.data(),
                kKernelTaps * shape_.channels);
  }

  HalvingShape shape_;
  Tiles tiles_;
  Blocks rows_{shape_.kernels}, columns_{shape_.channels};
  const float *large_, *small_;
  float* weights_;
  std::vector<float> outside_ =
      std::vector<float>(static_cast<size_t>(std::max(shape_.channels, shape_.kernels)));
};

}  // namespace

void winograd_weights(const HalvingShape& shape, const float* large, const float* small, float* weights,
                      const Workers& workers) {
  const Weighing weighing(shape, large, small, weights);
  const int64_t jobs = std::min(weighing.products(), workers.count);
  std::vector<WeighingDesk> desks;
  for (int64_t i = 0; i < workers.count; ++i) desks.emplace_back(shape);
  workers.run(jobs, [&](int64_t job, int64_t worker) {
    weighing.run(Range::part(weighing.products(), job, jobs), desks[static_cast<size_t>(worker)]);
  });
}

}  // namespace nowhere
