// The reference's networks as work, for tests that do without LibTorch's folders.
#pragma once

#include "plan/rates.h"

namespace nowhere {

// A 4x4 convolution that computes its kernel at so many positions.
inline LayerWork test_layer(int64_t inputs, int64_t outputs, int64_t positions, bool norm = true) {
  const int64_t weights = inputs * outputs * 16;
  return {weights + (norm ? 2 * outputs : 0), weights * positions};
}

inline Workload test_dcgan(int64_t nz, int64_t ngf, int64_t ndf, int64_t size, int64_t batch) {
  Workload work{.batch = batch, .size = size};
  int64_t width = ngf * size / 8, side = 4;
  work.generator.layers.push_back(test_layer(nz, width, 1));
  for (; width > ngf; width /= 2, side *= 2)
    work.generator.layers.push_back(test_layer(width, width / 2, side * side));
  work.generator.layers.push_back(test_layer(width, 3, side * side, false));
  width = ndf;
  side = size / 2;
  work.discriminator.layers.push_back(test_layer(3, width, side * side, false));
  for (; side > 4; width *= 2) {
    side /= 2;
    work.discriminator.layers.push_back(test_layer(width, 2 * width, side * side));
  }
  work.discriminator.layers.push_back(test_layer(width, 1, 1, false));
  work.generator.activations = work.discriminator.activations = 1'000'000;
  return work;
}

inline PlannedModel test_naive() {
  return {"naive-64", test_dcgan(100, 64, 64, 64, 128)};
}
inline PlannedModel test_clamp() {
  return {"clamp-64", test_dcgan(256, 256, 64, 64, 256)};
}
inline PlannedModel test_safe() {
  return {"safe-128", test_dcgan(128, 128, 32, 128, 256)};
}

}  // namespace nowhere
