// Near-duplicates by perceptual hash.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"
#include "image/resize.h"

namespace nowhere {

// 64 signs of the lowest frequencies of the brightness: stable under scale, compression and small changes of
// light, so that two frames of a car at a red light differ in few bits.
uint64_t perceptual_hash(ImageView image, Resizer& resizer);

// Two hashes at most this many bits apart count as the same picture.
constexpr int kNearBits = 5;

// Finds a near one among the hashes added so far without comparing with all of them: of kNearBits + 1 bands
// of bits, at least one is the same in both.
class NearDuplicates {
 public:
  NearDuplicates();
  bool has_near(uint64_t hash) const;
  void add(uint64_t hash);

 private:
  std::vector<std::vector<uint64_t>> buckets_;  // [band, value of the band]
};

}  // namespace nowhere
