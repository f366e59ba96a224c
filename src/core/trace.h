// Time spans of threads, for a profile: what other threads did while the device computed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace nowhere {

struct TraceSpan {
  std::string name;
  int thread = 0;        // the system's thread id
  int64_t begin_ns = 0;  // since 1970
  int64_t end_ns = 0;
};

// Any thread may record; it costs almost nothing while the trace is not running.
class Trace {
 public:
  using Clock = std::chrono::system_clock;  // the same as the profiler's

  void start() { running_ = true; }
  // Returns what was recorded since start().
  std::vector<TraceSpan> stop();

  bool running() const { return running_.load(std::memory_order_relaxed); }
  void record(const char* name, Clock::time_point begin, Clock::time_point end);

 private:
  std::atomic<bool> running_ = false;
  std::mutex mutex_;
  std::vector<TraceSpan> spans_;
};

}  // namespace nowhere
