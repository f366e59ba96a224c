// Work done by many threads and consumed by one, in order: the bounded ring buffer of the packer and the
// loader.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace nowhere {

// Keeps track of who may touch which slot; the slots themselves belong to the caller. Jobs are numbered from
// 0; job j fills part of slot (j / jobs_per_slot) % slots. Workers claim jobs in order and finish them in any
// order; the consumer gets slots in order, each when all its jobs are finished.
class OrderedRing {
 public:
  // `jobs` in total; the last slot may get fewer than jobs_per_slot.
  OrderedRing(size_t slots, uint64_t jobs_per_slot, uint64_t jobs);

  // Worker: the next job, waiting until its slot is free. Nothing when there are no more, or after close().
  std::optional<uint64_t> claim();
  void finish(uint64_t job);
  // Worker: stops all work; front() throws the error.
  void fail(std::exception_ptr error);

  // Consumer: the slot that is next in order, waiting until it is filled. Nothing at the end or after
  // close().
  std::optional<size_t> front();
  // Consumer: gives the slot that front() returned back to the workers.
  void release();
  void close();

  size_t slot_of(uint64_t job) const { return static_cast<size_t>(job / jobs_per_slot_ % filled_.size()); }

 private:
  uint64_t jobs_in(uint64_t batch) const;
  bool front_ready() const;

  const uint64_t jobs_per_slot_;
  const uint64_t jobs_;
  std::mutex mutex_;
  std::condition_variable slot_free_;
  std::condition_variable slot_full_;
  std::vector<uint64_t> filled_;  // finished jobs by slot
  uint64_t next_job_ = 0;
  uint64_t front_ = 0;  // how many slots have been released
  bool closed_ = false;
  std::exception_ptr error_;
};

// Starts threads that run `work` until it returns; what it throws reaches the consumer through the ring. When
// they cannot all be started, closes the ring and throws an Error that says so.
std::vector<std::jthread> start_workers(OrderedRing& ring, int threads, const std::function<void()>& work);

}  // namespace nowhere
