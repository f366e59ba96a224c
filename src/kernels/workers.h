// How kernels divide their work among threads that are the caller's.
#pragma once

#include <cstdint>
#include <functional>

namespace nowhere {

// `worker` is below Workers::count, and no two jobs that run at the same time have the same.
using Job = std::function<void(int64_t job, int64_t worker)>;

struct Workers {
  int64_t count = 1;
  // Runs the jobs 0, 1, ... in any order and returns when all are done.
  std::function<void(int64_t jobs, const Job& job)> run;
};

// Everything on the calling thread.
inline Workers one_worker() {
  return {1, [](int64_t jobs, const Job& job) {
            for (int64_t i = 0; i < jobs; ++i) job(i, 0);
          }};
}

}  // namespace nowhere
