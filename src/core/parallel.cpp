#include "core/parallel.h"

#include <algorithm>
#include <mutex>

#include "core/team.h"

namespace nowhere {

void parallel_for(size_t count, int threads, const std::function<void(size_t item)>& work) {
  const size_t enough = std::min(count, static_cast<size_t>(std::max(threads, 1)));
  Team(static_cast<int>(enough)).run(count, [&](size_t item, size_t) { work(item); });
}

void parallel_chunks(size_t count, size_t chunk, int threads,
                     const std::function<void(size_t begin, size_t end)>& work,
                     const std::function<void(int64_t done)>& progress) {
  std::mutex mutex;
  int64_t done = 0;
  parallel_for((count + chunk - 1) / chunk, threads, [&](size_t number) {
    const size_t begin = number * chunk, end = std::min(count, begin + chunk);
    work(begin, end);
    const std::lock_guard lock(mutex);
    done += static_cast<int64_t>(end - begin);
    progress(done);
  });
}

}  // namespace nowhere
