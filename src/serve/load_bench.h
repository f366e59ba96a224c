// How many pictures a running server gives to clients that ask without a pause.
#pragma once

#include <cstdint>
#include <functional>

namespace nowhere {

struct ServeLoad {
  int64_t requests = 0, pictures = 0, bytes = 0;
  double seconds = 0;
  double median_ms = 0, slowest_percent_ms = 0;  // of a request; 99 of 100 are faster than the second

  double pictures_per_second() const { return static_cast<double>(pictures) / seconds; }
};

// Each client is a thread with a connection of its own, and asks for sheets of fresh pictures, which no cache
// has, for so many seconds after a first one. Throws an Error when an answer is no picture. `stop` is polled.
ServeLoad bench_server(uint16_t port, int clients, double seconds, const std::function<bool()>& stop);

}  // namespace nowhere
