#include "model/workers.h"

#include <ATen/Parallel.h>

#include <atomic>

namespace nowhere {

Workers torch_workers() {
  const int64_t count = at::in_parallel_region() ? 1 : at::get_num_threads();
  return {count, [count](int64_t jobs, const Job& job) {
            std::atomic<int64_t> next = 0;
            at::parallel_for(0, count, 1, [&](int64_t worker, int64_t) {
              for (int64_t i = next++; i < jobs; i = next++) job(i, worker);
            });
          }};
}

}  // namespace nowhere
