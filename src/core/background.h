// One thread for work that training must not wait for: checkpoints, pictures, events.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace nowhere {

class Background {
 public:
  // `on_failure` is called with the reason when a job fails, on the background thread; the next job follows.
  explicit Background(std::function<void(const std::string&)> on_failure);
  ~Background();  // after the jobs that are left
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Jobs run in order. Waits while too many are queued.
  void post(std::function<void()> job);
  // Waits until all are done.
  void finish();

 private:
  void run();

  std::function<void(const std::string&)> on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool busy_ = false;
  bool closed_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace nowhere
