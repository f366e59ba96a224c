// Threads for what takes long and is not the generator: encoding, reading files.
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
  ~Workers();  // ends what is begun; what is not, nobody waits for any more
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Jobs are begun in order and must not throw. Never waits: whoever posts bounds how many there are. Any thread.
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
