// Convolutions of stride 1 that keep the size of their maps, as matrix products: there is a row for each
// place, with everything that the kernel sees from there.
#pragma once

#include <cstdint>

#include "kernels/workers.h"

namespace nowhere {

struct PatchShape {
  int64_t pictures = 0, height = 0, width = 0, channels = 0;
  int64_t side = 1;  // of the kernel, odd

  int64_t rows() const { return pictures * height * width; }
  int64_t columns() const { return side * side * channels; }
};

// maps [pictures, height, width, channels] -> rows [rows, side, side, channels]; places outside are 0.
void gather_patches(const PatchShape& shape, const float* maps, float* rows, const Workers& workers);

// The transpose: each place of the maps is the sum of its copies in the rows.
void sum_patches(const PatchShape& shape, const float* rows, float* maps, const Workers& workers);

}  // namespace nowhere
