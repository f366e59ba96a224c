// One thread that does what must not hold up training: checkpoints, pictures, events.
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
  // `complain` is told why a job failed, on the background thread; the work goes on.
  explicit Background(std::function<void(const std::string&)> complain);
  ~Background();  // does what is left first
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Jobs are done in order. Waits while too many are queued.
  void post(std::function<void()> job);
  // Waits until all are done.
  void finish();

 private:
  void run();

  std::function<void(const std::string&)> complain_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool busy_ = false;
  bool closed_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace nowhere
