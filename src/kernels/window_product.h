// Convolutions with a 4 x 4 kernel, stride 2 and padding 1 as matrix products with the windows that the
// kernel sees: for few channels, where transforms would cost more than they save.
//
// Results have the same bits for any number of workers. What is not finite propagates as in the sums that
// define the convolution.
#pragma once

#include "kernels/halving.h"
#include "kernels/workers.h"

namespace nowhere {

// small = the convolution of large.
void window_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                  const Workers& workers);
// large = the transposed convolution of small.
void window_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                   const Workers& workers);
// The gradient to the weights. For a convolution, `small` is the gradient; for its transpose, `large` is.
void window_weights(const HalvingShape& shape, const float* large, const float* small, float* weights,
                    const Workers& workers);

}  // namespace nowhere
