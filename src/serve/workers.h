// Threads for slow work outside the generator: encoding, reading files.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace nowhere {

class Workers {
 public:
  explicit Workers(int threads);
  ~Workers();  // finishes jobs that have begun and drops the rest
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Jobs begin in order and must not throw. Never blocks: the callers bound the number of jobs. Any thread.
  void post(std::function<void()> job);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace nowhere
