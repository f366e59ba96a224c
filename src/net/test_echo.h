// A handler for tests, and a helper to examine its responses.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "net/http.h"

namespace nowhere {

// Responds with what was requested.
inline HttpResponse echo(const HttpRequest& request) {
  if (request.path == "/throw") throw std::runtime_error("a secret");
  if (request.path == "/throw-int") throw 1;
  if (request.path == "/bad-header") return {.headers = {{"X-A", "b\r\nX-C: d"}}};
  if (request.path == "/bad-status") return {.status = 99};
  if (request.path == "/unchanged") return {.status = 304, .headers = {{"ETag", "\"1\""}}};
  if (request.path == "/large") return {.body = std::string(5'000'000, 'x')};
  return {.headers = {{"X-From", request.remote_address}},
          .body = request.method + "|" + request.path + "|" + request.query + "|" +
                  std::string(request.header("x-test")) + "|" + request.body};
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace nowhere
