// From a frame to a sample: crop, resize, mirror, noise. What the networks see of a photograph.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "data/augment.h"
#include "data/normal_table.h"
#include "data/source.h"
#include "image/resize.h"

namespace nowhere {

struct SampleConfig {
  int size = 64;  // pixels of a sample's side
  AugmentConfig augment;
  // Standard deviation of the Gaussian noise on a sample, of pixels in [0, 1], as the reference has it.
  double noise = 0;
};

// What is drawn for one sample. Each purpose has a stream of its own: noise does not change the crops.
struct SampleDraws {
  SampleDraws(uint64_t seed, uint64_t epoch, uint64_t photo)
      : augment(seed, Purpose::kAugment, {epoch, photo}), noise(seed, Purpose::kPhotoNoise, {epoch, photo}) {}
  Random augment, noise;
};

// One per thread; keeps its buffers.
class SampleMaker {
 public:
  // The table outlives the maker; without noise there need be none.
  SampleMaker(SampleConfig config, const NormalTable* normal);

  // [size, size, 3] bytes; noise is rounded and clamped.
  void bytes(const PhotoFrame& frame, SampleDraws draws, uint8_t* out);
  // [size, size, 3] floats in [-1, 1], beyond it where there is noise.
  void floats(const PhotoFrame& frame, SampleDraws draws, float* out);

 private:
  void cut(const PhotoFrame& frame, Random& random, uint8_t* out);

  SampleConfig config_;
  Resizer resizer_;
  const NormalTable* normal_;  // null without noise
  std::vector<uint8_t> pixels_;
  std::vector<float> values_;
};

}  // namespace nowhere
