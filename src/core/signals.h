// Stopping when asked to.
#pragma once

namespace nowhere {

// From here on SIGINT, SIGTERM and SIGHUP ask the work to stop; a second one ends the process at once.
void catch_stop_signals();

// From here on what is printed into a closed pipe, or beyond a limit on files, is lost and nothing else: for work that is
// worth more than its output.
void outlive_lost_output();

// The signal that asked to stop, or 0.
int stop_signal();
inline bool stop_requested() {
  return stop_signal() != 0;
}

// Thrown where work with nothing to save is given up because of a signal; `main` turns it into the exit code.
struct Stopped {};

}  // namespace nowhere
