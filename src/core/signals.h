// Signals that ask to stop, or that must not.
#pragma once

namespace nowhere {

// From here on SIGINT, SIGTERM and SIGHUP ask the work to stop; a second one ends the process at once.
void catch_stop_signals();

// From here on, writing into a closed pipe or beyond the limit on file sizes fails instead of ending the
// process: for work that is worth more than its output.
void ignore_lost_output();

// The signal that asked to stop, or 0.
int stop_signal();
inline bool stop_requested() {
  return stop_signal() != 0;
}

// Thrown to give up work that has nothing to save after a signal; `main` turns it into the exit code.
struct Stopped {};

}  // namespace nowhere
