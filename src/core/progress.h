// One line that says how far the work is: redrawn on a terminal, now and then a new line when piped.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace nowhere {

// Used by one thread at a time. Writes to stderr, so that stdout stays for results.
class Progress {
 public:
  // `title` says what is being done ("packing"), `unit` what is counted ("images").
  Progress(std::string title, std::string unit, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: draws at most ten times a second.
  void update(int64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(double elapsed) const;
  void draw(Clock::time_point now);

  std::string title_;
  std::string unit_;
  int64_t total_;
  int64_t done_ = 0;
  int64_t first_ = -1;  // what was done already when this run began to count
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_draw_;
};

}  // namespace nowhere
