// Convolutions with a 4 x 4 kernel, stride 2 and padding 1, and their gradients, each by the kernel that
// suits its shape.
#pragma once

#include <string_view>

#include "kernels/halving.h"
#include "kernels/workers.h"

namespace nowhere {

enum class HalvingKernel { kWinograd, kWindows, kNone };  // none: the shape gains nothing from either
std::string_view name_of(HalvingKernel kernel);

// By a rule that was measured; depends on the shape alone.
HalvingKernel halving_kernel(const HalvingShape& shape);

// small = the convolution of large. All three take any shape: where no kernel suits it, they use windows.
void halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
           const Workers& workers);
// large = the transposed convolution of small.
void double_up(const HalvingShape& shape, const float* small, const float* weights, float* large,
               const Workers& workers);
// The gradient of either to the weights.
void weigh(const HalvingShape& shape, const float* large, const float* small, float* weights,
           const Workers& workers);

}  // namespace nowhere
