#include "model/workers.h"

#include <ATen/Parallel.h>

#include <atomic>
#include <vector>

#ifndef INTRA_OP_PARALLEL
#error "at::parallel_for would run on one thread: src/CMakeLists.txt is to compile this file with OpenMP"
#endif

namespace nowhere {
namespace {

// The jobs that a worker begins with. Jobs that follow each other work on maps that follow each other: who
// made a part of them has it in its cache. Who is done takes jobs of the others: a core that other programs
// use too is slower at times.
struct alignas(64) OwnJobs {
  std::atomic<int64_t> next = 0;
  int64_t end = 0;
};

}  // namespace

Workers torch_workers() {
  const int64_t count = at::in_parallel_region() ? 1 : at::get_num_threads();
  return {count, [count](int64_t jobs, const Job& job) {
            std::vector<OwnJobs> own(static_cast<size_t>(count));
            for (int64_t i = 0; i < count; ++i) {
              own[static_cast<size_t>(i)].next = jobs * i / count;
              own[static_cast<size_t>(i)].end = jobs * (i + 1) / count;
            }
            at::parallel_for(0, count, 1, [&](int64_t worker, int64_t) {
              for (int64_t i = 0; i < count; ++i) {
                OwnJobs& claimed = own[static_cast<size_t>((worker + i) % count)];
                for (int64_t next = claimed.next++; next < claimed.end; next = claimed.next++)
                  job(next, worker);
              }
            });
          }};
}

void divide_among_threads(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work) {
  at::parallel_for(0, count, /*grain_size=*/1, work);
}

}  // namespace nowhere
