// How far the work is: a line that is redrawn on a terminal, or a new line every few seconds elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/status_line.h"

namespace nowhere {

// Used by one thread at a time. Writes to stderr, so that stdout stays for results.
class Progress {
 public:
  // `title` says what is being done ("packing"), `unit` what is counted ("images").
  Progress(std::string title, std::string unit, int64_t total);

  // Cheap: draws at most ten times a second.
  void update(int64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(double elapsed) const;

  std::string title_;
  std::string unit_;
  int64_t total_;
  int64_t done_ = 0;
  int64_t first_ = -1;  // what was done before the first update
  StatusLine status_;   // cleared at the end: the summary that follows says more
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_line_;  // where there is no terminal
};

}  // namespace nowhere
