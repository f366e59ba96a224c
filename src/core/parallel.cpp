#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
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
  for (size_t i = 1; i < helpers; ++i) pool.emplace_back(run);
  run();
  pool.clear();
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace nowhere
