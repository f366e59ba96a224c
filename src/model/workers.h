// LibTorch's threads for kernels that are not LibTorch's.
#pragma once

#include <functional>

#include "kernels/workers.h"

namespace nowhere {

// These threads wait actively for a while after each operator; threads of our own would compete with them for
// the cores.
Workers torch_workers();

// Divides [0, count) among LibTorch's threads. In place of at::parallel_for, which runs on one thread in a
// source that is compiled without OpenMP.
void divide_among_threads(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace nowhere
