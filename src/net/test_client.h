// An HTTP client for tests that sends exactly what it is given, well-formed or not. On loopback only.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/descriptor.h"

namespace nowhere {

class TestClient {
 public:
  explicit TestClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{60, 0};  // so that a test that would hang fails instead
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
      throw std::runtime_error("cannot connect");
  }

  // Gives up silently when the server has closed: what it sent before can still be read.
  void send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<size_t>(sent));
    }
  }

  // Nothing more will be sent.
  void finish() { ::shutdown(socket_.number(), SHUT_WR); }

  // The headers and as much of the body as they announce; everything that is left if the connection ended
  // before.
  std::string response(bool to_head = false) {
    while (received_.find("\r\n\r\n") == std::string::npos && receive()) continue;
    const size_t headers = received_.find("\r\n\r\n");
    if (headers == std::string::npos) return take(received_.size());
    const size_t length = received_.find("Content-Length: ");
    const size_t body = length > headers || to_head ? 0 : std::strtoull(&received_[length + 16], nullptr, 10);
    while (received_.size() < headers + 4 + body && receive()) continue;
    return take(headers + 4 + body);
  }

  // Everything until the server closes.
  std::string rest() {
    while (receive()) continue;
    return take(received_.size());
  }

  std::string get(std::string_view target, std::string_view method = "GET") {
    send(std::string(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: test\r\n\r\n"));
    return response(method == "HEAD");
  }

 private:
  bool receive() {
    char buffer[65536];
    const ssize_t got = ::recv(socket_.number(), buffer, sizeof(buffer), 0);
    if (got < 0 && errno == EAGAIN) throw std::runtime_error("the server sends nothing");
    if (got <= 0) return false;
    received_.append(buffer, static_cast<size_t>(got));
    return true;
  }
  std::string take(size_t count) {
    std::string text = received_.substr(0, count);
    received_.erase(0, count);
    return text;
  }

  Descriptor socket_;
  std::string received_;
};

}  // namespace nowhere
