#include "core/team.h"

#include <pthread.h>

#include <system_error>
#include <utility>

namespace nowhere {

Team::Team(int threads) {
  if (::sched_getaffinity(0, sizeof(granted_), &granted_) != 0) CPU_ZERO(&granted_);
  try {
    for (int i = 1; i < threads; ++i)
      helpers_.emplace_back([this, member = static_cast<size_t>(i)] { help(member); });
  } catch (const std::system_error&) {
    // The threads that were started do all the work.
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::run(size_t count, const Work& work) {
  const std::lock_guard turn(turn_);
  next_ = 0;
  count_ = count;
  if (count > 1 && !helpers_.empty()) {
    keep_off_own_core();
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      ++runs_;
    }
    changed_.notify_all();
  }
  claim_items(work, 0);
  std::unique_lock lock(mutex_);
  work_ = nullptr;  // who wakes up now is too late
  changed_.wait(lock, [&] { return helping_ == 0; });
  if (first_error_) std::rethrow_exception(std::exchange(first_error_, nullptr));
}

// Left to itself, Linux often wakes a helper on the core of the thread that wakes it, and lets the two take
// turns there for milliseconds although another core is idle.
void Team::keep_off_own_core() {
  const int core = ::sched_getcpu();
  if (core < 0 || core == core_of_caller_ || !CPU_ISSET(core, &granted_) || CPU_COUNT(&granted_) < 2) return;
  cpu_set_t others = granted_;
  CPU_CLR(core, &others);
  for (std::thread& helper : helpers_)
    ::pthread_setaffinity_np(helper.native_handle(), sizeof(others), &others);
  core_of_caller_ = core;
}

void Team::help(size_t member) {
  size_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stop_ || (work_ != nullptr && runs_ != seen); });
    if (stop_) return;
    seen = runs_;
    const Work& work = *work_;
    ++helping_;
    lock.unlock();
    claim_items(work, member);
    lock.lock();
    if (--helping_ == 0) changed_.notify_all();
  }
}

void Team::claim_items(const Work& work, size_t member) {
  try {
    for (size_t item = next_++; item < count_; item = next_++) work(item, member);
  } catch (...) {
    next_ = count_.load();
    const std::lock_guard lock(mutex_);
    if (!first_error_) first_error_ = std::current_exception();
  }
}

}  // namespace nowhere
