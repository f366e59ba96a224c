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

}  // namespace nowhere
