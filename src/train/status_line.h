// The line at the bottom of the terminal that says how training goes.
#pragma once

#include <chrono>
#include <string>

namespace nowhere {

// Redrawn on a terminal; silent when stderr is a pipe or a file, where the log lines say it. Used by one thread.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether it is time to draw again: building the text costs more than asking.
  bool due() const;
  void draw(const std::string& text);
  void clear();  // before something else is printed

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point next_ = Clock::now();
};

}  // namespace nowhere
