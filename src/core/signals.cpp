#include "core/signals.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace nowhere {
namespace {

// A signal handler can only reach static data, hence the global variable.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
  int none = 0;
  if (!received.compare_exchange_strong(none, signal)) _exit(128 + signal);
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void ignore_lost_output() {
  for (int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_IGN);
}

int stop_signal() {
  return received.load(std::memory_order_relaxed);
}

}  // namespace nowhere
