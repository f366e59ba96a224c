// Requests and responses as the rest of the program sees them: plain types, independent of the server's
// library.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nowhere {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;  // "GET"
  std::string target;  // as it was sent: "/image?seed=1"
  std::string path;    // up to the "?", as it was sent: escapes such as %20 are not decoded
  std::string query;   // after the "?"; empty when there is none
  HttpHeaders headers;
  std::string remote_address;  // without the port; the proxy's, if there is one
  std::string body;
  std::string route = "none";  // what the log and the metrics call the request; the handler sets it

  // The first header of that name, in any case; empty when there is none.
  std::string_view header(std::string_view name) const;
  // GET or HEAD. A handler treats both alike: the server sends only the headers of a response to HEAD.
  bool only_reads() const { return method == "GET" || method == "HEAD"; }
};

// Immutable bytes that any number of responses may share.
class HttpBody {
 public:
  HttpBody() = default;
  HttpBody(std::string text) {
    const auto kept = std::make_shared<const std::string>(std::move(text));
    bytes_ = std::span(reinterpret_cast<const uint8_t*>(kept->data()), kept->size());
    owner_ = kept;
  }
  HttpBody(std::vector<uint8_t> bytes)
      : HttpBody(std::make_shared<const std::vector<uint8_t>>(std::move(bytes))) {}
  HttpBody(std::shared_ptr<const std::vector<uint8_t>> bytes) : bytes_(*bytes), owner_(std::move(bytes)) {}
  // Bytes that live as long as the program, such as an embedded page.
  static HttpBody permanent(std::span<const uint8_t> bytes) {
    HttpBody body;
    body.bytes_ = bytes;
    return body;
  }

  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
  std::shared_ptr<const void> owner_;
};

// The server sets Content-Length, Connection and Date.
struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  HttpHeaders headers = {};
  HttpBody body = {};
};

// Responds to one request. Any thread may call it. Calls after the first one, or after the server has given
// up waiting, have no effect. It may outlive the server.
using HttpRespond = std::function<void(HttpResponse)>;

// A handler's response, or a function that leads to it later.
struct HttpReply {
  HttpReply(HttpResponse now) : response(std::move(now)) {}
  explicit HttpReply(std::function<void(HttpRespond)> begin) : later(std::move(begin)) {}

  HttpResponse response;
  std::function<void(HttpRespond)> later;  // if set, it is called at once and must not block
};

// The request stays the same object until its response is written; a handler may set its route.
using HttpHandler = std::function<HttpReply(HttpRequest&)>;

// Every error has one shape: {"error":{"status":404,"message":"not found"}}. The message is ours, never text
// of the client and never that of an exception.
HttpResponse error_response(int status, std::string_view message);
// 405; `allowed` lists the methods of the path: "GET, HEAD".
HttpResponse method_not_allowed(std::string allowed);

// Sets target, path and query. False for a target that a server need not understand.
bool set_target(HttpRequest& request, std::string_view target);

// Whether the headers may be sent: no line breaks or other characters that would let a value end its line.
bool sendable(const HttpHeaders& headers);

}  // namespace nowhere
