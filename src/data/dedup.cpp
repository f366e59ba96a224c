#include "data/dedup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace nowhere {
namespace {

constexpr int kSide = 32;  // of the picture that is transformed
constexpr int kLow = 8;    // frequencies kept in each direction

using Cosines = std::array<std::array<float, kSide>, kLow>;

// Rows of the discrete cosine transform, without the constant one: [frequency 1..8, position].
Cosines cosine_rows() {
  Cosines rows{};
  for (int f = 0; f < kLow; ++f)
    for (int x = 0; x < kSide; ++x)
      rows[f][x] = static_cast<float>(std::cos(std::numbers::pi * (f + 1) * (x + 0.5) / kSide));
  return rows;
}

constexpr int kBands = kNearBits + 1;
constexpr size_t kBandValues = size_t{1} << 11;  // the widest band has 11 bits

// Bands of 10 or 11 bits that do not overlap: otherwise one differing bit could change two of them.
constexpr int band_start(int band) {
  return band * 64 / kBands;
}

size_t bucket(uint64_t hash, int band) {
  const int bits = band_start(band + 1) - band_start(band);
  const uint64_t value = (hash >> band_start(band)) & ((uint64_t{1} << bits) - 1);
  return static_cast<size_t>(band) * kBandValues + value;
}

}  // namespace

uint64_t perceptual_hash(ImageView image, Resizer& resizer) {
  static const Cosines cosines = cosine_rows();
  const Image small = resizer.resize(image, kSide, kSide);
  std::array<std::array<float, kSide>, kLow> across{};  // [frequency along x, y]
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const uint8_t* pixel = small.row(y) + static_cast<size_t>(x) * kChannels;
      const float grey = 0.299f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2];
      for (int f = 0; f < kLow; ++f) across[f][y] += cosines[f][x] * grey;
    }
  std::array<float, kLow * kLow> power{};
  for (int f = 0; f < kLow; ++f)
    for (int g = 0; g < kLow; ++g)
      for (int y = 0; y < kSide; ++y)
        power[static_cast<size_t>(f * kLow + g)] += cosines[g][y] * across[f][y];
  auto sorted = power;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  const float median = sorted[sorted.size() / 2];
  uint64_t hash = 0;
  for (size_t i = 0; i < power.size(); ++i)
    if (power[i] > median) hash |= uint64_t{1} << i;
  return hash;
}

NearDuplicates::NearDuplicates() : buckets_(kBands * kBandValues) {}

bool NearDuplicates::has_near(uint64_t hash) const {
  for (int band = 0; band < kBands; ++band)
    for (uint64_t other : buckets_[bucket(hash, band)])
      if (std::popcount(hash ^ other) <= kNearBits) return true;
  return false;
}

void NearDuplicates::add(uint64_t hash) {
  for (int band = 0; band < kBands; ++band) buckets_[bucket(hash, band)].push_back(hash);
}

}  // namespace nowhere
