// Convolutions with a 4 x 4 kernel, stride 2 and padding 1 by Winograd's F(4x4,2x2), with 2.56 times fewer
// multiplications than sums over the kernel need.
//
// Every second place of a map along both axes is a phase of it. With the phases P_s[m] = x[2m+s-1], s being 0
// or 1, the convolution along an axis is y[i] = sum over s and u of P_s[i+u] * w[2u+s], u being 0 or 1: four
// convolutions of stride 1 with 2 x 2 taps, which are summed. The transpose gives a tile of the small map its
// shares in the four phases: X_s[m] = sum over u of y[m-u] * w[2u+s], of one transform of y for all of them.
//
// Results have the same bits for any number of workers. Relative to the largest result, errors are about
// 1e-5. What depends on a number that is not finite is not finite, as in LibTorch; so may be other outputs of
// the same tile, which LibTorch spares, and infinity may become NaN.
#pragma once

#include "kernels/doubling_weights.h"
#include "kernels/halving.h"
#include "kernels/winograd_transforms.h"
#include "kernels/workers.h"

namespace nowhere {

// small = the convolution of large.
void winograd_halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
                    const Workers& workers);
// large = the transposed convolution of small. A picture's bits depend on its own numbers alone.
void winograd_double(const HalvingShape& shape, const float* small, const float* weights, float* large,
                     const Workers& workers);
// The same for weights that many calls share, and with what is done to the numbers at last.
void winograd_double(const HalvingShape& shape, const float* small, const DoublingWeights& weights,
                     const MapFinish& finish, float* large, const Workers& workers);
// The gradient to the weights. For a convolution, `small` is the gradient; for its transpose, `large` is.
void winograd_weights(const HalvingShape& shape, const float* large, const float* small, float* weights,
                      const Workers& workers);

}  // namespace nowhere
