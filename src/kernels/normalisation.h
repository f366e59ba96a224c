// Batch norm and the activation behind it in as few passes over memory as there can be: one to measure and
// one to write, forward and backward. Maps are rows [rows, channels], a row for each place of each picture.
//
// Sums have the same bits for any number of workers.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/workers.h"

namespace nowhere {

struct RowsShape {
  int64_t rows = 0, channels = 0;
};

// A value v of the normalised maps becomes v, or slope * v where it is below 0. A slope of 1 changes nothing.
struct Normalisation {
  std::span<const float> mean, scale, bias;  // [channels]: v = (x - mean) * scale + bias
  float slope = 1;
};

// [channels] each; the variance is that of the rows themselves, not an estimate.
void measure_rows(const RowsShape& shape, const float* maps, std::span<float> mean, std::span<float> variance,
                  const Workers& workers);

void normalise_rows(const RowsShape& shape, const float* maps, const Normalisation& by, float* result,
                    const Workers& workers);

// The sums over all rows of the gradient g before the activation, and of g * (x - mean); [channels] each.
void sum_gradients(const RowsShape& shape, const float* maps, const float* gradient, const Normalisation& by,
                   std::span<float> sum, std::span<float> sum_of_products, const Workers& workers);

// result = g * scale + (x - mean) * slant + shift, g being the gradient before the activation; `slant` and
// `shift` [channels].
void gradient_to_rows(const RowsShape& shape, const float* maps, const float* gradient,
                      const Normalisation& by, std::span<const float> slant, std::span<const float> shift,
                      float* result, const Workers& workers);

}  // namespace nowhere
