// Finds the handler of a path.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "serve/query.h"

namespace nowhere {

// Parameters of the path and the query together; their names are distinct.
using RouteHandler = std::function<HttpReply(const HttpRequest& request, const Parameters& parameters)>;

struct Route {
  std::string name;  // in the log and the metrics: "image"
  std::string
      pattern;  // "/v1/images/{seed}.{format}": what is in braces is a parameter, the last dot divides
  std::vector<std::string> query;  // parameters it takes; others are refused
  RouteHandler handle;
  bool any_query = false;      // ignores the query, whatever it is
  bool without_token = false;  // open to monitoring
};

// Constant once it is made. Any thread.
class Router {
 public:
  // Where two routes fit, the first does.
  explicit Router(std::vector<Route> routes) : routes_(std::move(routes)) {}

  // None when no path is like this. Sets the parameters of the path.
  const Route* find(std::string_view path, Parameters& parameters) const;
  // 404, 405, 400, or what the route's handler says.
  HttpReply reply(const HttpRequest& request) const;
  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace nowhere
