// A server whose replies a test writes down.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/environment.h"
#include "s3/web.h"

namespace nowhere {

inline WebReply fake_reply(int status, const std::string& body = "",
                           std::map<std::string, std::string> headers = {}) {
  WebReply reply{.status = status, .headers = std::move(headers)};
  reply.body.assign(body.begin(), body.end());
  return reply;
}

inline WebReply fake_error(int status, const std::string& code) {
  return fake_reply(status,
                    "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>no</Message></Error>");
}

inline WebReply fake_fault(WebFault fault) {
  return {.fault = fault, .reason = "as the test wants it"};
}

// Gives its replies one after the other, and 500 when there are none left.
class FakeWeb : public WebClient {
 public:
  WebReply send(const WebRequest& request) override {
    const std::lock_guard lock(mutex);
    requests.push_back(request);
    bodies.emplace_back(request.body.begin(), request.body.end());
    if (replies.empty()) return fake_reply(500);
    WebReply reply = replies.front();
    replies.pop_front();
    return reply;
  }

  std::mutex mutex;
  std::deque<WebReply> replies;
  std::vector<WebRequest> requests;
  std::vector<std::string> bodies;
};

inline Environment fake_environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found != variables.end() ? std::optional(found->second) : std::nullopt;
  };
}

}  // namespace nowhere
