// The server's figures for Prometheus. Labels are the names of routes and formats, never what a client sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "observe/metrics.h"

namespace nowhere {

// Any thread may call anything.
class ServeFigures {
 public:
  void request(const std::string& route, int status, double seconds);
  void batch(size_t pictures, double seconds);
  void encoding(std::string_view format, double seconds);
  void cache(bool hit);
  void refused();  // because the queue was full

  // What is now, asked for when somebody collects.
  struct Now {
    size_t queue = 0;  // pictures
    size_t cache_bytes = 0;
    size_t connections = 0;
    bool ready = false;
  };
  std::string text(const Now& now);

 private:
  Metrics metrics_;
};

}  // namespace nowhere
