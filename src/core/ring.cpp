#include "core/ring.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "core/error.h"

namespace nowhere {

OrderedRing::OrderedRing(size_t slots, uint64_t jobs_per_slot, uint64_t jobs)
    : jobs_per_slot_(jobs_per_slot), jobs_(jobs), filled_(slots, 0) {}

std::optional<uint64_t> OrderedRing::claim() {
  std::unique_lock lock(mutex_);
  slot_free_.wait(lock, [&] {
    return closed_ || next_job_ >= jobs_ || next_job_ / jobs_per_slot_ < front_ + filled_.size();
  });
  if (closed_ || next_job_ >= jobs_) return std::nullopt;
  return next_job_++;
}

void OrderedRing::finish(uint64_t job) {
  const std::lock_guard lock(mutex_);
  ++filled_[slot_of(job)];
  if (front_ready()) slot_full_.notify_one();
}

void OrderedRing::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  closed_ = true;
  slot_free_.notify_all();
  slot_full_.notify_all();
}

std::optional<size_t> OrderedRing::front() {
  std::unique_lock lock(mutex_);
  slot_full_.wait(lock, [&] { return closed_ || front_ * jobs_per_slot_ >= jobs_ || front_ready(); });
  if (error_) std::rethrow_exception(error_);
  if (closed_ || !front_ready()) return std::nullopt;
  return static_cast<size_t>(front_ % filled_.size());
}

void OrderedRing::release() {
  const std::lock_guard lock(mutex_);
  filled_[static_cast<size_t>(front_ % filled_.size())] = 0;
  ++front_;
  slot_free_.notify_all();
}

void OrderedRing::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  slot_free_.notify_all();
  slot_full_.notify_all();
}

uint64_t OrderedRing::jobs_in(uint64_t batch) const {
  return std::min(jobs_per_slot_, jobs_ - std::min(jobs_, batch * jobs_per_slot_));
}

bool OrderedRing::front_ready() const {
  const uint64_t wanted = jobs_in(front_);
  return wanted > 0 && filled_[static_cast<size_t>(front_ % filled_.size())] == wanted;
}

std::vector<std::jthread> start_workers(OrderedRing& ring, int threads, const std::function<void()>& work) {
  std::vector<std::jthread> pool;
  try {
    for (int i = 0; i < std::max(threads, 1); ++i)
      pool.emplace_back([&ring, work] {
        try {
          work();
        } catch (...) {
          ring.fail(std::current_exception());
        }
      });
  } catch (const std::system_error&) {
    ring.close();  // the threads that did start must not wait forever
    throw Error(
        fmt::format("only {} of {} threads can be started; give a smaller --threads", pool.size(), threads));
  }
  return pool;
}

}  // namespace nowhere
