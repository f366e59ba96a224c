// LibTorch's products of bf16 matrices for kernels that are not LibTorch's. They run on the CPU's matrix
// units (AMX) where oneDNN uses them, elsewhere on AVX-512's products of pairs.
#pragma once

#include "kernels/bf16_product.h"

namespace nowhere {

// Whether this CPU multiplies pairs of bf16 in hardware, and oneDNN may use it. Where matrix units may be
// broken, cpu_precision() (device/matrix_units) has to be asked first: it keeps oneDNN away from them.
bool has_bf16_products();

// Whether they run on matrix units, which make them much faster.
bool has_matrix_units();

Bf16Product torch_bf16_product();

}  // namespace nowhere
