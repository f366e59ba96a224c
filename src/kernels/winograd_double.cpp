#include <algorithm>
#include <array>
#include <vector>

#include "kernels/winograd.h"
#include "kernels/winograd_desk.h"

namespace nowhere {
namespace {

// Each tile of the small maps has a share in a patch of each phase of the large ones, and patches overlap by
// one place. So a job has whole pictures, whose shares it adds up in the order of the tiles.
template <class TapsOf>
class Doubling {
 public:
  // taps_of(phase, panel): as DoublingWeights::taps.
  Doubling(const HalvingShape& shape, const float* small, const TapsOf& taps_of, const MapFinish& finish,
           float* large)
      : shape_(shape), taps_of_(taps_of), finish_(finish), small_(small), large_(large) {}

  void run(const Workers& workers) const {
    const Division division(tiles_.count(), tiles_.of_a_picture(), kPhases * panels_.count(), workers.count);
    Desks desks(workers.count, 1, shape_.kernels, division.most_tiles());
    workers.run(division.jobs(), [&](int64_t job, int64_t worker) {
      const Range tiles = division.tiles(job), columns = division.columns(job);
      const int64_t portions = quotient_up(tiles.count, kTileRows);
      for (int64_t i = 0; i < portions; ++i) {
        const Range portion = Range::part(tiles.count, i, portions);
        multiply({tiles.first + portion.first, portion.count}, columns, desks, worker);
      }
    });
  }

 private:
  // A column of the product is a panel of a phase.
  void multiply(const Range& tiles, const Range& columns, Desks& desks, int64_t worker) const {
    const PaddedMaps maps{small_, shape_.small_height(), shape_.small_width(), shape_.kernels,
                          outside_.data()};
    Spectra& spectra = desks.tiles(worker);
    spectra.resize(shape_.kernels, tiles.count);
    for (int64_t i = 0; i < tiles.count; ++i) transform_small(maps, tiles_[tiles.first + i], i, spectra);
    for (int64_t column = columns.first; column < columns.end(); ++column) {
      const int64_t phase = column / panels_.count(), panel = column % panels_.count();
      const Spectrum results = desks.results(worker);
      multiply_tiles(spectra, 0, tiles.count, taps_of_(phase, panel), panels_.size(panel), false,
                     desks.weights(worker), results);
      for (int64_t i = 0; i < tiles.count; ++i)
        write({results.first + i * panels_.width(panel), results.stride}, tiles_[tiles.first + i],
              Phase(phase), panel);
    }
  }

  void write(const Spectrum& result, const Tile& tile, const Phase& phase, int64_t panel) const {
    std::array<SharedPlace, kFrequencies> places;
    const bool is_lowest = tile.y + kTileSide >= shape_.small_height(),
               is_rightmost = tile.x + kTileSide >= shape_.small_width();
    for (int64_t down = 0; down < kPatchSide; ++down) {
      const int64_t y = 2 * (tile.y + down) + phase.y - 1;
      if (y < 0 || y >= shape_.height) continue;
      float* line = large_ + (tile.picture * shape_.height + y) * shape_.width * shape_.channels;
      for (int64_t right = 0; right < kPatchSide; ++right) {
        const int64_t x = 2 * (tile.x + right) + phase.x - 1;
        if (x < 0 || x >= shape_.width) continue;
        places[down * kPatchSide + right] = {
            line + x * shape_.channels + panel * kBlock,
            (down == 0 && tile.y > 0) || (right == 0 && tile.x > 0),
            (down < kTileSide || is_lowest) && (right < kTileSide || is_rightmost)};
      }
    }
    back_to_patch(result, panels_.size(panel),
                  {finish_.bias != nullptr ? finish_.bias + panel * kBlock : nullptr, finish_.floor},
                  places.data());
  }

  HalvingShape shape_;
  const TapsOf& taps_of_;
  MapFinish finish_;
  const float* small_;
  float* large_;
  Tiles tiles_{shape_};
  Blocks panels_{shape_.channels};
  std::vector<float> outside_ = std::vector<float>(static_cast<size_t>(shape_.kernels));
};

}  // namespace

void winograd_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                     const Workers& workers) {
  const auto taps_of = [&](int64_t phase, int64_t panel) {
    return doubling_taps(weights, shape.channels, phase, panel);
  };
  Doubling(shape, small, taps_of, {}, large).run(workers);
}

void winograd_double(const HalvingShape& shape, const float* small, const DoublingWeights& weights,
                     const MapFinish& finish, float* large, const Workers& workers) {
  const auto taps_of = [&](int64_t phase, int64_t panel) { return weights.taps(phase, panel); };
  Doubling(shape, small, taps_of, finish, large).run(workers);
}

}  // namespace nowhere
