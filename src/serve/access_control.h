// Who may use the server, and from which pages: the token, CORS, and what that means for caches.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http.h"

namespace nowhere {

// What a route asks of its clients.
struct RouteAccess {
  bool needs_token = true;  // where the server has one
  bool for_every_page =
      false;  // pages of all sites may use it, unless a token or a list of origins says less
};

// Constant once it is made. Any thread.
class AccessControl {
 public:
  // Without a token everybody may use the server. Pages of the origins may use every route; "*" stands for
  // all origins and does not go with a token.
  AccessControl(std::string token, std::vector<std::string> origins);

  // The reply of `handle` with the headers of CORS, or a refusal.
  HttpReply reply(const HttpRequest& request, RouteAccess route,
                  const std::function<HttpReply()>& handle) const;

 private:
  bool open_to_all(RouteAccess route) const;
  // The value of Access-Control-Allow-Origin; empty where pages of other sites may not read the response.
  std::string reader(const HttpRequest& request, RouteAccess route) const;
  HttpHeaders sharing_headers(const std::string& reader, RouteAccess route) const;
  HttpReply permitted(const HttpRequest& request, bool needs_token,
                      const std::function<HttpReply()>& handle) const;

  const std::string token_;
  const std::vector<std::string> origins_;
  const bool any_origin_;
};

}  // namespace nowhere
