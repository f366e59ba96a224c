// The whole server: everything between a socket and a generator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "serve/config.h"
#include "serve/painter.h"

namespace nowhere {

// Listens from construction on, whether a model is loaded or not: until there is one, /readyz and pictures answer 503.
// Errors inside are told on stderr; clients never see their texts.
class Service {
 public:
  // `studio` outlives it. Throws a usage error when the port is taken or the access log cannot be written.
  Service(ServeConfig config, Studio& studio);
  ~Service();  // stops
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  uint16_t port() const;
  std::string url() const;  // for people: "http://127.0.0.1:8080/"

  // Takes no more requests, lets those under way finish within the drain deadline, ends all threads. A second call does
  // nothing.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nowhere
