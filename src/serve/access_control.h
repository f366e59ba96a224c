// Who may use the server, and from which pages: the token and CORS, in front of the router.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "serve/router.h"

namespace nowhere {

// Constant once it is made. Any thread. `router` outlives it.
class AccessControl {
 public:
  // Without a token everybody may use the server. Pages of the origins may read the responses.
  AccessControl(const Router& router, std::string token, std::vector<std::string> origins)
      : router_(router), token_(std::move(token)), origins_(std::move(origins)) {}

  HttpReply reply(const HttpRequest& request) const;

 private:
  HttpReply permitted(const HttpRequest& request) const;
  bool is_open(const HttpRequest& request) const;

  const Router& router_;
  const std::string token_;
  const std::vector<std::string> origins_;
};

}  // namespace nowhere
