// Who may use the server, and from which pages: the token and CORS.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "net/http.h"

namespace nowhere {

// Constant once it is made. Any thread.
class AccessControl {
 public:
  // Without a token everybody may use the server. Pages of the origins may read the responses.
  AccessControl(std::string token, std::vector<std::string> origins)
      : token_(std::move(token)), origins_(std::move(origins)) {}

  // The reply of `handle` with the headers of CORS, or a refusal.
  HttpReply reply(const HttpRequest& request, bool needs_token,
                  const std::function<HttpReply()>& handle) const;

 private:
  HttpReply permitted(const HttpRequest& request, bool needs_token,
                      const std::function<HttpReply()>& handle) const;

  const std::string token_;
  const std::vector<std::string> origins_;
};

}  // namespace nowhere
