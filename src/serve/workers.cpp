#include "serve/workers.h"

#include <algorithm>
#include <utility>

namespace nowhere {

Workers::Workers(int threads) {
  for (int thread = 0; thread < std::max(threads, 1); ++thread) threads_.emplace_back([this] { run(); });
}

Workers::~Workers() {
  std::deque<std::function<void()>> left;  // destroyed without the mutex held: it may hold much memory
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    left.swap(jobs_);
  }
  changed_.notify_all();
  left.clear();
  threads_.clear();  // joins
}

void Workers::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // frees what it holds before the next wait
    lock.lock();
  }
}

}  // namespace nowhere
