// One line at the bottom of the terminal that says how the work goes.
#pragma once

#include <chrono>
#include <string>

namespace nowhere {

// Redraws itself in place, cut to the width of the terminal; silent when stderr is not a terminal. Used by
// one thread at a time.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool on_terminal() const { return terminal_; }
  // Whether there is a terminal and it is time to draw again: making the text costs more than asking.
  bool due() const;
  void draw(const std::string& text);
  void clear();  // before something else is printed

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace nowhere
