#include "kernels/last_layer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/block_product.h"

namespace nowhere {
namespace {

constexpr int64_t kPhaseTaps = kKernelTaps / kPhases;
constexpr int64_t kPortion = 24;  // tiles whose spectra are in the core's cache together

// With the phases P_s[m] = x[2m+s-1] along both axes, the four numbers of a place m are 2 x 2 neighbours in
// the picture. A place of `shares` holds them as [2, 2, channels]. Half of each place at the edges is outside
// the picture.
void interleave(const float* shares, int64_t width, int64_t side, int64_t channels, float* picture) {
  constexpr int64_t kCopied = 8;  // numbers, which is a vector; the next place overwrites what is too much
  const int64_t pair = 2 * channels, places = side + 1, line_size = 2 * side * channels;
  std::vector<float> line(static_cast<size_t>(places * pair + kCopied));
  for (int64_t y = 0; y < 2 * side; ++y, picture += line_size) {
    const float* from = shares + (y + 1) / 2 * places * width + (y + 1) % 2 * pair;
    float* to = line.data();
    for (int64_t place = 0; place < places; ++place, from += width, to += pair) {
      if (pair <= kCopied)
        std::copy_n(from, kCopied, to);
      else
        std::copy_n(from, pair, to);
    }
    std::copy_n(line.data() + channels, line_size, picture);
  }
}

}  // namespace

LastLayer::LastLayer(std::span<const float> weights, int64_t channels)
    : rows_{std::ssize(weights) / kKernelTaps / channels},
      channels_(channels),
      width_(padded(kPhases * channels)),
      numbers_(new_buffer(kFrequencies * rows_.channels * width_)) {
  const int64_t columns = kPhases * channels, row_size = kPhaseTaps * columns;
  std::vector<float> taps(weights.size());  // [in, taps of a phase, phases, channels]
  for (int64_t i = 0; i < std::ssize(taps) / channels; ++i) {
    const int64_t row = i / kKernelTaps, u = i / kPhases % kPhaseTaps, phase = i % kPhases;
    std::copy_n(weights.data() + (row * kKernelTaps + Phase(phase).tap(u)) * channels, channels,
                taps.data() + i * channels);
  }
  for (int64_t block = 0; block < rows_.count(); ++block) {
    TapRows from{{}, row_size};
    for (int64_t u = 0; u < kPhaseTaps; ++u)
      from.taps[u] = taps.data() + block * kBlock * row_size + u * columns;
    transform_taps(from, rows_.size(block), columns, weights_at(block));
  }
}

Spectrum LastLayer::weights_at(int64_t block) const {
  return {numbers_.get() + block * kBlock * width_ * kFrequencies, rows_.size(block) * width_};
}

void LastLayer::make(const float* maps, int64_t count, int64_t side, float* pictures) const {
  const std::vector<float> outside(static_cast<size_t>(rows_.channels));
  const PaddedMaps padded_maps{maps, side, side, rows_.channels, outside.data()};
  const Tiles tiles({.pictures = count, .height = 2 * side, .width = 2 * side});
  Spectra spectra(1, rows_.channels, kPortion);
  const Buffer results = new_buffer(kFrequencies * kPortion * width_),
               shares = new_buffer((side + 1) * (side + 1) * width_);
  for (int64_t i = 0; i < count; ++i) {
    share(padded_maps, tiles, i, spectra, {results.get(), kPortion * width_}, shares.get());
    interleave(shares.get(), width_, side, channels_, pictures + i * 4 * side * side * channels_);
  }
}

void LastLayer::share(const PaddedMaps& maps, const Tiles& tiles, int64_t picture, Spectra& spectra,
                      const Spectrum& results, float* shares) const {
  const int64_t first = picture * tiles.of_a_picture(),
                portions = quotient_up(tiles.of_a_picture(), kPortion);
  std::array<SharedPlace, kFrequencies> places;
  for (int64_t i = 0; i < portions; ++i) {
    const Range portion = Range::part(tiles.of_a_picture(), i, portions);
    spectra.resize(rows_.channels, portion.count);
    for (int64_t row = 0; row < portion.count; ++row)
      transform_small(maps, tiles[first + portion.first + row], row, spectra);
    for (int64_t block = 0; block < rows_.count(); ++block) {
      const Spectrum left = spectra.at(0, block, 0), weights = weights_at(block);
      for (int64_t f = 0; f < kFrequencies; ++f)
        multiply_block({left.first + f * left.stride, rows_.width(block), 1},
                       weights.first + f * weights.stride, {portion.count, rows_.size(block), width_},
                       block > 0, results.first + f * results.stride);
    }
    for (int64_t row = 0; row < portion.count; ++row) {
      const Tile tile = tiles[first + portion.first + row];
      for (int64_t p = 0; p < kFrequencies; ++p) {
        const int64_t down = p / kPatchSide, right = p % kPatchSide, y = tile.y + down, x = tile.x + right;
        const bool inside = y <= maps.height && x <= maps.width;
        places[p] = {inside ? shares + (y * (maps.width + 1) + x) * width_ : nullptr,
                     (down == 0 && tile.y > 0) || (right == 0 && tile.x > 0)};
      }
      back_to_patch({results.first + row * width_, results.stride}, width_, {}, places.data());
    }
  }
}

}  // namespace nowhere
