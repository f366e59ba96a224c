// One HTTP request and its reply, as S3 and the sources of credentials need them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nowhere {

// A secret is shown to nobody: no message and no log has one.
struct Credentials {
  std::string access_key, secret_key;
  std::string session_token;                                     // empty for those of a user
  std::optional<std::chrono::system_clock::time_point> expires;  // nothing for those that stay
};

// What a signature needs (AWS Signature Version 4).
struct Signing {
  Credentials credentials;
  std::string region;
};

struct WebRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::span<const uint8_t> body = {};
  std::optional<Signing> signing = {};
  std::chrono::seconds patience{30};  // without progress
  std::chrono::seconds longest{0};    // for the whole; 0 for any time
  bool direct = false;                // past any proxy: an address of this machine
};

enum class WebFault { kNone, kUnreachable, kTimeout, kBroken, kStopped };

struct WebReply {
  WebFault fault = WebFault::kNone;
  std::string reason;                               // of a fault: "connection refused"
  int status = 0;                                   // 0 with a fault
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::vector<uint8_t> body = {};

  bool ok() const { return status >= 200 && status < 300; }
  std::string_view text() const { return {reinterpret_cast<const char*>(body.data()), body.size()}; }
  std::string header(const std::string& name) const;  // empty when it is not there
};

// Any thread.
class WebClient {
 public:
  virtual ~WebClient() = default;
  virtual WebReply send(const WebRequest& request) = 0;
};

}  // namespace nowhere
