// Convolutions with a 4 x 4 kernel, stride 2 and padding 1, and their gradients, each by the kernel that
// suits its shape.
#pragma once

#include <string_view>

#include "kernels/halving.h"
#include "kernels/workers.h"

namespace nowhere {

// bf16: products of bf16 factors (kernels/bf16_halving). None: the shape gains nothing from any.
enum class HalvingKernel { kWinograd, kWindows, kBf16, kNone };
std::string_view name_of(HalvingKernel kernel);

// By a rule that was measured; depends on the shape alone.
HalvingKernel halving_kernel(const HalvingShape& shape);
// The same where factors may be bf16 and the processor is fast at that. Few channels are few products: what
// counts is memory, and it stays float32.
HalvingKernel bf16_halving_kernel(const HalvingShape& shape);

// In float32. small = the convolution of large. All three take any shape: where no kernel suits it, they use
// windows.
void halve(const HalvingShape& shape, const float* large, const float* weights, float* small,
           const Workers& workers);
// large = the transposed convolution of small.
void double_up(const HalvingShape& shape, const float* small, const float* weights, float* large,
               const Workers& workers);
// The gradient of either to the weights.
void weigh(const HalvingShape& shape, const float* large, const float* small, float* weights,
           const Workers& workers);

}  // namespace nowhere
