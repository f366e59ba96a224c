#include "core/trace.h"

#include <unistd.h>

#include <utility>

namespace nowhere {
namespace {

int64_t nanoseconds(Trace::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

}  // namespace

std::vector<TraceSpan> Trace::stop() {
  running_ = false;
  const std::lock_guard lock(mutex_);
  return std::exchange(spans_, {});
}

void Trace::record(const char* name, Clock::time_point begin, Clock::time_point end) {
  if (!running()) return;
  const std::lock_guard lock(mutex_);
  spans_.push_back({name, ::gettid(), nanoseconds(begin), nanoseconds(end)});
}

}  // namespace nowhere
