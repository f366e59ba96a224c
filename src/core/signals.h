// Stopping when asked to.
#pragma once

namespace nowhere {

// From here on SIGINT and SIGTERM ask the work to stop; a second one ends the process at once.
void catch_stop_signals();

// The signal that asked to stop, or 0.
int stop_signal();
inline bool stop_requested() {
  return stop_signal() != 0;
}

// Thrown where work with nothing to save is given up because of a signal; `main` turns it into the exit code.
struct Stopped {};

}  // namespace nowhere
