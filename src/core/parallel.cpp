#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace nowhere {

void parallel_for(size_t count, int threads, const std::function<void(size_t item)>& work) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr first_error;
  auto run = [&] {
    try {
      for (size_t item = next++; item < count; item = next++) work(item);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!first_error) first_error = std::current_exception();
    }
  };
  const size_t helpers = std::min(count, static_cast<size_t>(std::max(threads, 1)));
  std::vector<std::jthread> pool;
  try {
    for (size_t i = 1; i < helpers; ++i) pool.emplace_back(run);
  } catch (const std::system_error&) {
    // The threads that were started do all the work.
  }
  run();
  pool.clear();
  if (first_error) std::rethrow_exception(first_error);
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
