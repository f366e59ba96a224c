#include "kernels/winograd.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/block_product.h"
#include "kernels/spectra.h"
#include "kernels/winograd_transforms.h"

namespace nowhere {
namespace {

constexpr int64_t kTaps = 16;
constexpr int64_t kSpectraNumbers = 1 << 20;  // of all tiles that are transformed at a time: 4 MB
constexpr int64_t kBlockStride = kBlock * kBlock + kSpectrumGap;

// Tiles go through in portions, so that their spectra stay in the cache. The portions depend on the shape
// alone.
class Portions {
 public:
  Portions(int64_t tiles, int64_t numbers_of_tile)
      : tiles_(tiles), most_(std::max<int64_t>(kSpectraNumbers / numbers_of_tile / kBlock, 1) * kBlock) {}

  int64_t most() const { return std::min(tiles_, most_); }
  template <class Work>  // (first, count)
  void each(const Work& work) const {
    for (int64_t first = 0; first < tiles_; first += most_) work(first, std::min(most_, tiles_ - first));
  }

 private:
  int64_t tiles_, most_;
};

// What each worker has of its own: the spectra of a block of weights and of a block of results.
class Desks {
 public:
  explicit Desks(int64_t workers) : numbers_(new_buffer(workers * 2 * kNumbers)) {}
  Spectrum weights(int64_t worker) const { return {numbers_.get() + worker * 2 * kNumbers, kBlockStride}; }
  Spectrum results(int64_t worker) const { return {weights(worker).first + kNumbers, kBlockStride}; }

 private:
  static constexpr int64_t kNumbers = kFrequencies * kBlockStride;
  Buffer numbers_;
};

// Rows of tiles that go through a product together.
struct TileRows {
  int64_t first, count;
};

TileRows rows_of(int64_t block, int64_t tiles) {
  return {block * kBlock, std::min(kBlock, tiles - block * kBlock)};
}

// Calls work(index) for all tiles of a portion, a few in each job.
template <class Work>
void each_tile(const Workers& workers, int64_t count, const Work& work) {
  constexpr int64_t kTilesOfJob = 4;
  workers.run(quotient_up(count, kTilesOfJob), [&](int64_t job, int64_t) {
    const int64_t end = std::min(count, (job + 1) * kTilesOfJob);
    for (int64_t i = job * kTilesOfJob; i < end; ++i) work(i);
  });
}

// [kernels, kTaps, channels] -> [panels, kTaps, channels, kernels of the panel], panels being blocks of
// kernels
Buffer transposed(const HalvingShape& shape, const float* weights, const Workers& workers) {
  constexpr int64_t kSquare = 16, kRun = 256;
  const Blocks panels{shape.kernels};
  const int64_t columns = kTaps * shape.channels, runs = quotient_up(columns, kRun);
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

// results [rows, width] = (or +=) the tiles of one set times the taps, over all channels of the tiles.
// `columns` of the taps are used.
void multiply_tiles(const Spectra& tiles, int64_t set, const TileRows& rows, TapRows taps, int64_t columns,
                    bool add, const Spectrum& weights, const Spectrum& results) {
  for (int64_t block = 0; block < tiles.blocks().count(); ++block) {
    const BlockShape shape{rows.count, tiles.blocks().size(block), padded(columns)};
    transform_taps(taps, shape.depth, columns, weights);
    const Spectrum left = tiles.at(set, block, rows.first);
    for (int64_t f = 0; f < kFrequencies; ++f)
      multiply_block({left.first + f * left.stride, tiles.blocks().width(block), 1},
                     weights.first + f * weights.stride, shape, add || block > 0,
                     results.first + f * results.stride);
    for (const float*& tap : taps.taps) tap += shape.depth * taps.row_stride;
  }
}

// results [rows, width] -> maps; place(tile, y, x) is where a place of the tile stands, null if outside.
template <class Place>
void write_tiles(const Tiles& tiles, const TileRows& rows, int64_t channels, const Spectrum& results,
                 const Place& place) {
  std::array<float*, kTilePlaces> places;
  for (int64_t row = 0; row < rows.count; ++row) {
    const Tile tile = tiles[rows.first + row];
    for (int64_t i = 0; i < kTilePlaces; ++i)
      places[i] = place(tile.picture, tile.y + i / kTileSide, tile.x + i % kTileSide);
    transform_back({results.first + row * padded(channels), results.stride}, channels, places.data());
  }
}

std::vector<float> zeros(int64_t count) {
  return std::vector<float>(static_cast<size_t>(count));
}

}  // namespace

void winograd_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                    const Workers& workers) {
  const std::vector<float> outside = zeros(shape.channels);
  const PaddedMaps maps{large, shape.height, shape.width, shape.channels, outside.data()};
  const Tiles tiles(shape);
  const Portions portions(tiles.count(), kPhases * kFrequencies * padded(shape.channels));
  Spectra spectra(kPhases, shape.channels, portions.most());
  const Buffer turned = transposed(shape, weights, workers);
  const Blocks panels{shape.kernels};
  const Desks desks(workers.count);
  const int64_t height = shape.small_height(), width = shape.small_width();
  portions.each([&](int64_t first, int64_t count) {
    spectra.resize(count);
    each_tile(workers, count, [&](int64_t i) { transform_phases(maps, tiles[first + i], i, spectra); });
    const int64_t blocks = quotient_up(count, kBlock);
    workers.run(blocks * panels.count(), [&](int64_t job, int64_t worker) {
      const TileRows rows = rows_of(job % blocks, count);
      const int64_t panel = job / blocks, columns = panels.size(panel);
      const float* factors = turned.get() + panel * kBlock * kTaps * shape.channels;
      for (int64_t set = 0; set < kPhases; ++set) {
        TapRows taps{{}, columns};
        for (int64_t u = 0; u < 4; ++u) taps.taps[u] = factors + Phase(set).tap(u) * shape.channels * columns;
        multiply_tiles(spectra, set, rows, taps, columns, set > 0, desks.weights(worker),
                       desks.results(worker));
      }
      write_tiles(tiles, {first + rows.first, rows.count}, columns, desks.results(worker),
                  [&](int64_t picture, int64_t y, int64_t x) {
                    return y < height && x < width
                               ? small + ((picture * height + y) * width + x) * shape.kernels + panel * kBlock
                               : nullptr;
                  });
    });
  });
}

void winograd_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                     const Workers& workers) {
  const std::vector<float> outside = zeros(shape.kernels);
  const PaddedMaps maps{small, shape.small_height(), shape.small_width(), shape.kernels, outside.data()};
  const Tiles tiles(shape);
  const Portions portions(tiles.count(), kPhases * kFrequencies * padded(shape.kernels));
  Spectra spectra(kPhases, shape.kernels, portions.most());
  const Blocks panels{shape.channels};
  const Desks desks(workers.count);
  portions.each([&](int64_t first, int64_t count) {
    spectra.resize(count);
    each_tile(workers, count, [&](int64_t i) { transform_sources(maps, tiles[first + i], i, spectra); });
    const int64_t blocks = quotient_up(count, kBlock);
    workers.run(blocks * panels.count() * kPhases, [&](int64_t job, int64_t worker) {
      const TileRows rows = rows_of(job % blocks, count);
      const int64_t panel = job / blocks % panels.count(), set = job / blocks / panels.count();
      const Phase phase(set);
      TapRows taps{{}, kTaps * shape.channels};
      // Of a place of the large map, the earlier of two neighbours in the small map has the later tap.
      for (int64_t u = 0; u < 4; ++u)
        taps.taps[u] = weights + phase.tap(3 - u) * shape.channels + panel * kBlock;
      multiply_tiles(spectra, set, rows, taps, panels.size(panel), false, desks.weights(worker),
                     desks.results(worker));
      write_tiles(tiles, {first + rows.first, rows.count}, panels.size(panel), desks.results(worker),
                  [&](int64_t picture, int64_t tile_y, int64_t tile_x) {
                    const int64_t y = 2 * tile_y + 1 - phase.y, x = 2 * tile_x + 1 - phase.x;
                    return y < shape.height && x < shape.width
                               ? large + ((picture * shape.height + y) * shape.width + x) * shape.channels +
                                     panel * kBlock
                               : nullptr;
                  });
    });
  });
}

void winograd_weights(const HalvingShape& shape, const float* large, const float* small, float* weights,
                      const Workers& workers) {
  const std::vector<float> outside = zeros(std::max(shape.channels, shape.kernels));
  const PaddedMaps large_maps{large, shape.height, shape.width, shape.channels, outside.data()};
  const PaddedMaps small_maps{small, shape.small_height(), shape.small_width(), shape.kernels,
                              outside.data()};
  const Tiles tiles(shape);
  const Portions portions(tiles.count(),
                          kFrequencies * (kPhases * padded(shape.channels) + padded(shape.kernels)));
  Spectra right(kPhases, shape.channels, portions.most()), left(1, shape.kernels, portions.most());
  const Blocks &columns = right.blocks(), &rows = left.blocks();
  const Desks desks(workers.count);
  portions.each([&](int64_t first, int64_t count) {
    right.resize(count);
    left.resize(count);
    each_tile(workers, count, [&](int64_t i) {
      transform_phases(large_maps, tiles[first + i], i, right);
      transform_gradient(small_maps, tiles[first + i], i, left);
    });
    workers.run(rows.count() * columns.count() * kPhases, [&](int64_t job, int64_t worker) {
      const int64_t row = job % rows.count(), column = job / rows.count() % columns.count(),
                    set = job / rows.count() / columns.count();
      const Spectrum results = desks.results(worker);
      for (int64_t f = 0; f < kFrequencies; ++f)
        for (int64_t begin = 0; begin < count; begin += kBlock) {
          const Spectrum a = left.at(0, row, begin), b = right.at(set, column, begin);
          multiply_block({a.first + f * a.stride, 1, rows.width(row)}, b.first + f * b.stride,
                         {rows.size(row), std::min(kBlock, count - begin), columns.width(column)}, begin > 0,
                         results.first + f * results.stride);
        }
      std::array<float*, 4> taps;
      for (int64_t u = 0; u < 4; ++u)
        taps[u] = weights + (row * kBlock * kTaps + Phase(set).tap(u)) * shape.channels + column * kBlock;
      gather_taps(results, rows.size(row), columns.size(column), first > 0, taps.data(),
                  kTaps * shape.channels);
    });
  });
}

}  // namespace nowhere
