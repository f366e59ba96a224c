// Convolutions with a 4 x 4 kernel, stride 2 and padding 1 as products of bf16 factors with sums in float32:
// for processors with matrix units, where multiplications cost next to nothing.
//
// Each pass is a sum of four products, of which each has the rows of a grid a few positions further on than
// the one before (kernels/phase_grid).
//
// Results have the same bits for any number of workers. What depends on a number that is not finite is not
// finite; other outputs of the same picture, and all weights, may become NaN by it, since zeros of the
// padding are multiplied as well. Matrix units may take denormal factors as zeros.
#pragma once

#include "kernels/bf16_product.h"
#include "kernels/halving.h"
#include "kernels/workers.h"

namespace nowhere {

// small = the convolution of large.
void bf16_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                const Bf16Product& product, const Workers& workers);
// large = the transposed convolution of small.
void bf16_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                 const Bf16Product& product, const Workers& workers);
// The gradient to the weights. For a convolution, `small` is the gradient; for its transpose, `large` is.
void bf16_weigh(const HalvingShape& shape, const float* large, const float* small, float* weights,
                const Bf16Product& product, const Workers& workers);

}  // namespace nowhere
