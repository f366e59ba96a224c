// An HTTP/1.1 server fit for the internet: bounded in connections, sizes and times.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "net/http.h"

namespace nowhere {

struct ServerConfig {
  std::string host = "127.0.0.1";
  uint16_t port = 0;  // 0: any free one
  int threads = 2;    // that read, call the handler and write
  // Connections beyond these limits are answered 503. An IPv6 address counts as its /64, one customer's
  // network. Behind a proxy all connections come from one address: use 0, no limit.
  size_t max_connections = 256;
  size_t max_connections_per_address = 64;
  uint32_t header_limit = 8 * 1024;                                       // bytes; more is answered 431
  uint64_t body_limit = 64 * 1024;                                        // bytes; more is answered 413
  std::chrono::milliseconds idle_deadline = std::chrono::seconds(30);     // until a request begins
  std::chrono::milliseconds request_deadline = std::chrono::seconds(15);  // from its first byte to its last
  std::chrono::milliseconds answer_deadline = std::chrono::seconds(60);   // for a deferred response
  std::chrono::milliseconds write_deadline = std::chrono::seconds(30);    // for a whole response
  std::chrono::milliseconds drain_deadline = std::chrono::seconds(5);     // see HttpServer::stop
  // The names of the options, for messages.
  std::string host_option = "--host";
  std::string port_option = "--port";
  // Added to every response, including the server's own refusals, unless it has such a header already.
  HttpHeaders headers = {};
  // Called for every response before it is written, on the server's threads, with the seconds since the
  // request was read. For a request that was not, or could not be, read only the address is known. Must not
  // throw or block.
  std::function<void(const HttpRequest&, const HttpResponse&, double seconds)> on_response = {};
  // Called with what a handler threw, on the server's threads. Clients only learn that there was an error.
  std::function<void(const std::string& what)> on_handler_error = {};
};

// Listens from construction on. The handler runs on the server's threads, several at a time. It does slow
// work elsewhere and responds later, so as not to hold up other clients. It may throw: the client gets a 500.
// A request that waits for a deferred response holds no thread.
class HttpServer {
 public:
  // Throws a usage error when the port is taken or the address is not this machine's.
  HttpServer(ServerConfig config, HttpHandler handler);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  uint16_t port() const;
  size_t connections() const;

  // Takes no more connections, closes idle ones, lets requests in progress finish until drain_deadline, then
  // closes them too. Returns when all threads have ended. From any thread but a handler's; a second call does
  // nothing.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nowhere
