// How often to ask again, and when: exponential backoff with jitter.
#pragma once

#include <chrono>
#include <functional>

namespace nowhere {

struct Retry {
  int attempts = 5;
  std::chrono::milliseconds first{500}, longest{20'000};
  std::function<double()> draw;                          // in [0, 1)
  std::function<bool(std::chrono::milliseconds)> sleep;  // false when it was stopped

  // What to wait after attempt number `attempt`, counted from 1: anything between half of a time that doubles
  // and the whole, so that many who failed together do not come back together.
  std::chrono::milliseconds wait_after(int attempt) const;
};

// Sleeps for real, until `stopped` says so.
Retry make_retry(int attempts, std::function<bool()> stopped);

}  // namespace nowhere
