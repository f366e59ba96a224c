// The whole server: everything between the socket and the generator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "serve/config.h"
#include "serve/model_provider.h"

namespace nowhere {

// Listens from construction on, whether a model is loaded or not: until one is, /readyz and pictures are
// answered 503. Internal errors are reported on stderr; clients never see their messages.
class Service {
 public:
  // `provider` outlives it. Throws a usage error when the port is taken or the access log cannot be written.
  Service(ServeConfig config, ModelProvider& provider);
  ~Service();  // stops
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  uint16_t port() const;
  std::string url() const;  // for people: "http://127.0.0.1:8080/"

  // Takes no more requests, lets unfinished ones finish within the drain deadline, and ends all threads. A
  // second call does nothing.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nowhere
