#include "core/team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <utility>

namespace nowhere {

Team::Team(int threads, Cores cores) : cores_(cores) {
  helpers_.reserve(static_cast<size_t>(std::max(threads - 1, 0)));
  try {
    for (int i = 1; i < threads; ++i)
      helpers_.emplace_back([this, member = static_cast<size_t>(i)] { help(member); });
  } catch (const std::exception&) {
    // No more threads or memory: those that were started do all the work.
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
    if (cores_ == Cores::kOthers) keep_off_callers_core();
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

void Team::keep_off_callers_core() {
  const int core = ::sched_getcpu();
  if (core < 0 || core == callers_core_) return;
  cpu_set_t others;
  if (::sched_getaffinity(0, sizeof(others), &others) != 0) return;
  if (!CPU_ISSET(core, &others) || CPU_COUNT(&others) < 2) return;
  CPU_CLR(core, &others);
  bool moved = true;
  for (std::thread& helper : helpers_)
    moved &= ::pthread_setaffinity_np(helper.native_handle(), sizeof(others), &others) == 0;
  if (moved) callers_core_ = core;
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
