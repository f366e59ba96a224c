// Finds the handler of a path.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "serve/access_control.h"
#include "serve/query.h"

namespace nowhere {

// Parameters of the path and the query together; their names are distinct.
using RouteHandler = std::function<HttpReply(const HttpRequest& request, const Parameters& parameters)>;

struct Route {
  std::string name;  // in the log and the metrics: "image"
  // "/v1/images/{seed}.{format}": what is in braces is a parameter, the last dot separates.
  std::string pattern;
  std::vector<std::string> query;  // parameters it takes; others are refused
  RouteHandler handle;
  bool any_query = false;       // ignores the query, whatever it is
  bool without_token = false;   // open to monitoring
  bool for_every_page = false;  // pages of all sites may use it; see RouteAccess
};

// A path that was looked up. Does not outlive its router.
struct RouteMatch {
  const Route* route = nullptr;  // null when no route has such a path
  Parameters parameters;         // of the path

  RouteAccess access() const;
  // 404, 405, 400, or the response of the route's handler.
  HttpReply reply(const HttpRequest& request) const;
};

// Constant once it is made. Any thread.
class Router {
 public:
  // Where several routes match, the first one is taken.
  explicit Router(std::vector<Route> routes) : routes_(std::move(routes)) {}

  RouteMatch find(std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace nowhere
