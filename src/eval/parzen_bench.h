// How fast the Parzen window is on this machine. Free of LibTorch, for the command line.
#pragma once

#include <cstdint>

namespace nowhere {

struct ParzenBench {
  double seconds = 0;
  double mean = 0;  // log likelihood at the best sigma, so that nothing is left out
};

// `points` random pictures of `size` px under a window of `centres` others, for ten sigmas.
ParzenBench bench_parzen(int64_t centres, int64_t points, int size, int threads);

}  // namespace nowhere
