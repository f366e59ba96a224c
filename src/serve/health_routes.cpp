#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

HttpResponse plain(std::string text, std::string content_type = "text/plain; charset=utf-8") {
  return {.content_type = std::move(content_type),
          .headers = {{"Cache-Control", kNoStore}},
          .body = std::move(text)};
}

}  // namespace

void add_health_routes(std::vector<Route>& routes, const RouteParts& parts) {
  const auto add = [&](std::string name, RouteAccess access, RouteHandler handle) {
    const std::string pattern = "/" + name;
    routes.push_back({.name = std::move(name),
                      .pattern = pattern,
                      .handle = std::move(handle),
                      .any_query = true,
                      .without_token = !access.needs_token,
                      .for_every_page = access.for_every_page});
  };
  add("livez", {.needs_token = false}, [](const HttpRequest&, const Parameters&) { return plain("ok\n"); });
  add("readyz", {.needs_token = false}, [&provider = parts.provider](const HttpRequest&, const Parameters&) {
    return provider.current() != nullptr ? plain("ready\n") : unavailable("the model is being loaded");
  });
  add("health", {.for_every_page = true},  // the reference's
      [](const HttpRequest&, const Parameters&) { return json_response(R"({"Health":"OK"})"); });
  add("metrics", {}, [metrics = parts.metrics](const HttpRequest&, const Parameters&) {
    return plain(metrics(), "text/plain; version=0.0.4; charset=utf-8");
  });
}

}  // namespace nowhere
