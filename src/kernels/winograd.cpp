#include "kernels/winograd.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/block_product.h"
#include "kernels/spectra.h"

namespace nowhere {
namespace {

constexpr int64_t kTileRows = 48;  // tiles of a product: a multiple of the rows that it makes at a time
constexpr int64_t kFewTiles = 12;  // for fewer, transforming the weights would take most of the time

// How a product is divided into jobs: into blocks of tiles, and those into groups of panels. A job transforms
// its tiles itself, so that spectra do not wander from core to core; groups transform the same tiles each,
// which costs little where there are many panels. No sum depends on the division.
class Division {
 public:
  Division(int64_t tiles, int64_t panels, int64_t workers)
      : tiles_(tiles), panels_(panels), blocks_(quotient_up(tiles, kTileRows)) {
    if (blocks_ >= workers) {
      blocks_ = std::min(tiles, quotient_up(blocks_, workers) * workers);
      return;
    }
    groups_ = std::min(panels, quotient_up(workers, blocks_));
    blocks_ = std::clamp(quotient_up(workers, groups_), blocks_, quotient_up(tiles, kFewTiles));
  }

  int64_t jobs() const { return blocks_ * groups_; }
  int64_t most_tiles() const { return quotient_up(tiles_, blocks_); }
  Range tiles(int64_t job) const { return Range::part(tiles_, job / groups_, blocks_); }
  Range panels(int64_t job) const { return Range::part(panels_, job % groups_, groups_); }

 private:
  int64_t tiles_, panels_, blocks_, groups_ = 1;
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
  static constexpr int64_t kBlockStride = kBlock * kBlock + kSpectrumGap,
                           kNumbers = kFrequencies * kBlockStride;
  std::vector<Spectra> tiles_;
  Buffer numbers_;
};

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

// results [tiles, width] = (or +=) the tiles of one set times the taps, over all channels of the tiles.
// `columns` of the taps are used.
void multiply_tiles(const Spectra& tiles, int64_t set, int64_t count, TapRows taps, int64_t columns, bool add,
                    const Spectrum& weights, const Spectrum& results) {
  for (int64_t block = 0; block < tiles.blocks().count(); ++block) {
    const BlockShape shape{count, tiles.blocks().size(block), padded(columns)};
    transform_taps(taps, shape.depth, columns, weights);
    const Spectrum left = tiles.at(set, block, 0);
    for (int64_t f = 0; f < kFrequencies; ++f)
      multiply_block({left.first + f * left.stride, tiles.blocks().width(block), 1},
                     weights.first + f * weights.stride, shape, add || block > 0,
                     results.first + f * results.stride);
    for (const float*& tap : taps.taps) tap += shape.depth * taps.row_stride;
  }
}

// results [tiles, width] -> maps; place(picture, y, x) is where a place stands, null if outside.
template <class Place>
void write_tiles(const Tiles& tiles, const Range& range, int64_t channels, const Spectrum& results,
                 const MapFinish& finish, const Place& place) {
  std::array<float*, kTilePlaces> places;
  for (int64_t row = 0; row < range.count; ++row) {
    const Tile tile = tiles[range.first + row];
    for (int64_t i = 0; i < kTilePlaces; ++i)
      places[i] = place(tile.picture, tile.y + i / kTileSide, tile.x + i % kTileSide);
    transform_back({results.first + row * padded(channels), results.stride}, channels, finish, places.data());
  }
}

std::vector<float> zeros(int64_t count) {
  return std::vector<float>(static_cast<size_t>(count));
}

// taps_of(phase, panel): as DoublingWeights::taps.
template <class TapsOf>
void double_with(const HalvingShape& shape, const float* small, const TapsOf& taps_of,
                 const MapFinish& finish, float* large, const Workers& workers) {
  const std::vector<float> outside = zeros(shape.kernels);
  const PaddedMaps maps{small, shape.small_height(), shape.small_width(), shape.kernels, outside.data()};
  const Tiles tiles(shape);
  const Blocks panels{shape.channels};
  const Division division(tiles.count(), panels.count(), workers.count);
  Desks desks(workers.count, 1, shape.kernels, division.most_tiles());
  workers.run(division.jobs() * kPhases, [&](int64_t job, int64_t worker) {
    const Range own = division.tiles(job / kPhases), own_panels = division.panels(job / kPhases);
    const int64_t index = job % kPhases;
    const Phase phase(index);
    Spectra& spectra = desks.tiles(worker);
    spectra.resize(shape.kernels, own.count);
    for (int64_t i = 0; i < own.count; ++i) transform_source(maps, tiles[own.first + i], phase, i, spectra);
    for (int64_t panel = own_panels.first; panel < own_panels.end(); ++panel) {
      multiply_tiles(spectra, 0, own.count, taps_of(index, panel), panels.size(panel), false,
                     desks.weights(worker), desks.results(worker));
      const MapFinish own_finish{finish.bias != nullptr ? finish.bias + panel * kBlock : nullptr,
                                 finish.floor};
      write_tiles(tiles, own, panels.size(panel), desks.results(worker), own_finish,
                  [&](int64_t picture, int64_t tile_y, int64_t tile_x) {
                    const int64_t y = 2 * tile_y + 1 - phase.y, x = 2 * tile_x + 1 - phase.x;
                    return y < shape.height && x < shape.width
                               ? large + ((picture * shape.height + y) * shape.width + x) * shape.channels +
                                     panel * kBlock
                               : nullptr;
                  });
    }
  });
}

}  // namespace

void winograd_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                    const Workers& workers) {
  const std::vector<float> outside = zeros(shape.channels);
  const PaddedMaps maps{large, shape.height, shape.width, shape.channels, outside.data()};
  const Tiles tiles(shape);
  const Blocks panels{shape.kernels};
  const Division division(tiles.count(), panels.count(), workers.count);
  const Buffer turned = transposed(shape, weights, workers);
  Desks desks(workers.count, kPhases, shape.channels, division.most_tiles());
  const int64_t height = shape.small_height(), width = shape.small_width();
  workers.run(division.jobs(), [&](int64_t job, int64_t worker) {
    const Range own = division.tiles(job), own_panels = division.panels(job);
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
      write_tiles(tiles, own, columns, desks.results(worker), {}, [&](int64_t picture, int64_t y, int64_t x) {
        return y < height && x < width
                   ? small + ((picture * height + y) * width + x) * shape.kernels + panel * kBlock
                   : nullptr;
      });
    }
  });
}

void winograd_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                     const Workers& workers) {
  double_with(
      shape, small,
      [&](int64_t phase, int64_t panel) { return doubling_taps(weights, shape.channels, phase, panel); }, {},
      large, workers);
}

void winograd_double(const HalvingShape& shape, const float* small, const DoublingWeights& weights,
                     const MapFinish& finish, float* large, const Workers& workers) {
  double_with(
      shape, small, [&](int64_t phase, int64_t panel) { return weights.taps(phase, panel); }, finish, large,
      workers);
}

}  // namespace nowhere
