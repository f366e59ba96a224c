// LibTorch's threads for kernels that are not LibTorch's.
#pragma once

#include "kernels/workers.h"

namespace nowhere {

// These threads wait actively for a while after each operator; threads of our own would compete with them for
// the cores.
Workers torch_workers();

}  // namespace nowhere
