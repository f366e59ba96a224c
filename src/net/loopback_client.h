// An HTTP client for a server on this machine: one connection that stays open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace nowhere {

// One thread at a time. Every call throws an Error when the connection fails.
class LoopbackClient {
 public:
  struct Answer {
    int status = 0;
    size_t bytes = 0;  // of the body
  };

  explicit LoopbackClient(uint16_t port);  // connects
  ~LoopbackClient();
  LoopbackClient(const LoopbackClient&) = delete;
  LoopbackClient& operator=(const LoopbackClient&) = delete;

  Answer get(const std::string& target);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nowhere
