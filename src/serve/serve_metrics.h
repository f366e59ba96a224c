// The server's metrics for Prometheus. Labels are the names of routes and formats, never what a client sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "observe/metrics.h"

namespace nowhere {

// Any thread may call anything.
class ServeMetrics {
 public:
  void request(const std::string& route, int status, double seconds);
  void batch(size_t pictures, double seconds);
  void encoding(std::string_view format, double seconds);
  void cache(bool hit);
  void refused();  // because the queue was full

  // Gauges, read when the metrics are collected.
  struct Gauges {
    size_t queue = 0;  // pictures
    size_t cache_bytes = 0;
    size_t connections = 0;
    bool ready = false;
  };
  std::string text(const Gauges& gauges);

 private:
  Metrics metrics_;
};

}  // namespace nowhere
