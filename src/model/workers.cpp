#include "model/workers.h"

#include <ATen/Parallel.h>

#ifndef INTRA_OP_PARALLEL
#error "at::parallel_for would run on one thread: src/CMakeLists.txt is to compile this file with OpenMP"
#endif

namespace nowhere {

Workers torch_workers() {
  const int64_t count = at::in_parallel_region() ? 1 : at::get_num_threads();
  return {count, [count](int64_t jobs, const Job& job) {
            // Jobs that follow each other work on maps that follow each other: who made a part of them has
            // it in its cache.
            at::parallel_for(0, count, 1, [&](int64_t begin, int64_t end) {
              for (int64_t i = jobs * begin / count; i < jobs * end / count; ++i) job(i, begin);
            });
          }};
}

void divide_among_threads(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work) {
  at::parallel_for(0, count, /*grain_size=*/1, work);
}

}  // namespace nowhere
