#include <algorithm>
#include <array>
#include <vector>

#include "kernels/winograd.h"
#include "kernels/winograd_desk.h"

namespace nowhere {
namespace {

// [kernels, kKernelTaps, channels] -> [panels, kKernelTaps, channels, kernels of the panel], panels being
// blocks of kernels
Buffer transposed(const HalvingShape& shape, const float* weights, const Workers& workers) {
  constexpr int64_t kSquare = 16, kRun = 256;
  const Blocks panels{shape.kernels};
  const int64_t columns = kKernelTaps * shape.channels, runs = quotient_up(columns, kRun);
  Buffer made = new_buffer(shape.kernels * columns);
  workers.run(panels.count() * runs, [&](int64_t job, int64_t) {
    // By way of a small square: at large strides, the lines of a column would compete for the cache.
    float square[kSquare][kSquare];
    const int64_t panel = job / runs, size = panels.size(panel), run = job % runs * kRun;
    const float* from = weights + panel * kBlock * columns;
    float* to = made.get() + panel * kBlock * columns;
    for (int64_t row = 0; row < size; row += kSquare)
      for (int64_t begin = run; begin < std::min(columns, run + kRun); begin += kSquare) {
        const int64_t height = std::min(size - row, kSquare), width = std::min(columns - begin, kSquare);
        for (int64_t r = 0; r < height; ++r)
          std::copy_n(from + (row + r) * columns + begin, width, square[r]);
        for (int64_t c = 0; c < width; ++c)
          for (int64_t r = 0; r < height; ++r) to[(begin + c) * size + row + r] = square[r][c];
      }
  });
  return made;
}

// results [tiles, width] -> a panel of the small maps
void write_tiles(const HalvingShape& shape, const Tiles& tiles, const Range& range, int64_t panel,
                 const Spectrum& results, float* small) {
  const int64_t height = shape.small_height(), width = shape.small_width(),
                columns = Blocks{shape.kernels}.size(panel);
  std::array<float*, kTilePlaces> places;
  for (int64_t row = 0; row < range.count; ++row) {
    const Tile tile = tiles[range.first + row];
    for (int64_t i = 0; i < kTilePlaces; ++i) {
      const int64_t y = tile.y + i / kTileSide, x = tile.x + i % kTileSide;
      places[i] = y < height && x < width
                      ? small + ((tile.picture * height + y) * width + x) * shape.kernels + panel * kBlock
                      : nullptr;
    }
    back_to_tile({results.first + row * padded(columns), results.stride}, columns, places.data());
  }
}

}  // namespace

void winograd_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                    const Workers& workers) {
  const std::vector<float> outside(static_cast<size_t>(shape.channels));
  const PaddedMaps maps{large, shape.height, shape.width, shape.channels, outside.data()};
  const Tiles tiles(shape);
  const Blocks panels{shape.kernels};
  const Division division(tiles.count(), 1, panels.count(), workers.count);
  const Buffer turned = transposed(shape, weights, workers);
  Desks desks(workers.count, kPhases, shape.channels, division.most_tiles());
  workers.run(division.jobs(), [&](int64_t job, int64_t worker) {
    const Range own = division.tiles(job), own_panels = division.columns(job);
    Spectra& spectra = desks.tiles(worker);
    spectra.resize(shape.channels, own.count);
    for (int64_t i = 0; i < own.count; ++i)
      for (int64_t set = 0; set < kPhases; ++set)
        transform_phase(maps, tiles[own.first + i], Phase(set), set, i, spectra);
    for (int64_t panel = own_panels.first; panel < own_panels.end(); ++panel) {
      const int64_t columns = panels.size(panel);
      const float* factors = turned.get() + panel * kBlock * kKernelTaps * shape.channels;
      for (int64_t set = 0; set < kPhases; ++set) {
        TapRows taps{{}, columns};
        for (int64_t u = 0; u < 4; ++u) taps.taps[u] = factors + Phase(set).tap(u) * shape.channels * columns;
        multiply_tiles(spectra, set, own.count, taps, columns, set > 0, desks.weights(worker),
                       desks.results(worker));
      }
      write_tiles(shape, tiles, own, panel, desks.results(worker), small);
    }
  });
}

}  // namespace nowhere
