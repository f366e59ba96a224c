// Threads that wait for work and share it. Where work is short and comes often, starting threads for it would
// take longer: some schedulers let a new thread wait for milliseconds, and a sleeping one for microseconds.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace nowhere {

class Team {
 public:
  // `member` is below size(), and no two items that are worked on at the same time have the same.
  using Work = std::function<void(size_t item, size_t member)>;

  // Where the threads that help may run. Left to itself, Linux often wakes one on the core of the thread that
  // wakes it, and lets the two take turns there for milliseconds although another core is idle. For short
  // work that keeps its cores busy, they can keep off the caller's core.
  enum class Cores { kAny, kOthers };

  // The thread that calls run() is one of them. Where the system refuses to start others, the team is
  // smaller.
  explicit Team(int threads, Cores cores = Cores::kAny);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  size_t size() const { return helpers_.size() + 1; }

  // Calls work for every item in [0, count), each once, and returns when all are done. The first exception
  // stops the rest and is thrown here. Callers on several threads take turns; work must not call run().
  void run(size_t count, const Work& work);

 private:
  void keep_off_callers_core();
  void help(size_t member);
  void claim_items(const Work& work, size_t member);

  std::mutex turn_;  // held by the caller of run()
  Cores cores_;
  int callers_core_ = -1;  // which helpers keep off; guarded by turn_
  std::atomic<size_t> next_{0}, count_{0};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  const Work* work_ = nullptr;  // null between two runs
  size_t runs_ = 0;             // how many there were, so that a helper joins each once
  size_t helping_ = 0;
  bool stop_ = false;
  std::exception_ptr first_error_;

  std::vector<std::thread> helpers_;
};

}  // namespace nowhere
