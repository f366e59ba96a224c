#include "serve/access_control.h"

#include <algorithm>
#include <utility>

#include "serve/http_rules.h"

namespace nowhere {
namespace {

// What a response depends on is one list: some caches read the first Vary only.
void add(HttpHeaders& to, const HttpHeaders& headers) {
  for (const auto& [name, value] : headers) {
    const auto vary =
        name == "Vary" ? std::ranges::find(to, name, [](const auto& one) { return one.first; }) : to.end();
    if (vary != to.end())
      vary->second += ", " + value;
    else
      to.emplace_back(name, value);
  }
}

using ChangeHeaders = std::function<void(HttpHeaders&)>;

HttpReply changed(HttpReply reply, ChangeHeaders change) {
  if (!reply.later) {
    change(reply.response.headers);
    return reply;
  }
  return HttpReply([begin = std::move(reply.later), change = std::move(change)](HttpRespond respond) {
    begin([respond = std::move(respond), change](HttpResponse response) {
      change(response.headers);
      respond(std::move(response));
    });
  });
}

// A browser's question whether a page may send headers of its own.
bool is_preflight(const HttpRequest& request) {
  return request.method == "OPTIONS" && !request.header("Access-Control-Request-Method").empty();
}

// The star stands for every header but Authorization. Headers do no harm: no route but the token looks at
// them.
HttpResponse preflight() {
  return {.status = 204,
          .headers = {{"Access-Control-Allow-Methods", "GET, HEAD"},
                      {"Access-Control-Allow-Headers", "Authorization, *"},
                      {"Access-Control-Max-Age", "600"}}};
}

}  // namespace

AccessControl::AccessControl(std::string token, std::vector<std::string> origins)
    : token_(std::move(token)),
      origins_(std::move(origins)),
      any_origin_(std::ranges::find(origins_, "*") != origins_.end()) {}

HttpReply AccessControl::reply(const HttpRequest& request, RouteAccess route,
                               const std::function<HttpReply()>& handle) const {
  const std::string reader = this->reader(request, route);
  HttpReply reply =
      !reader.empty() && is_preflight(request) ? preflight() : permitted(request, route.needs_token, handle);
  return changed(std::move(reply),
                 [headers = sharing_headers(reader, route), secret = !token_.empty()](HttpHeaders& all) {
                   add(all, headers);
                   if (secret) keep_private(all);
                 });
}

bool AccessControl::open_to_all(RouteAccess route) const {
  if (!token_.empty()) return false;
  return any_origin_ || (origins_.empty() && route.for_every_page);
}

std::string AccessControl::reader(const HttpRequest& request, RouteAccess route) const {
  if (open_to_all(route)) return "*";
  // The configured origin, never the client's text.
  const auto known = std::ranges::find(origins_, request.header("Origin"));
  return known != origins_.end() ? *known : "";
}

// Access-Control-Allow-Credentials is never sent: there are no cookies to go with a request.
HttpHeaders AccessControl::sharing_headers(const std::string& reader, RouteAccess route) const {
  HttpHeaders headers;
  const bool open = open_to_all(route);
  // Browsers ask for an <img> without saying for which site, and no <img> can send a token.
  if (open || (!origins_.empty() && token_.empty()))
    headers.emplace_back("Cross-Origin-Resource-Policy", "cross-origin");
  if (!open && !origins_.empty()) headers.emplace_back("Vary", "Origin");
  if (reader.empty()) return headers;
  headers.emplace_back("Access-Control-Allow-Origin", reader);
  headers.emplace_back("Access-Control-Expose-Headers", "ETag, Retry-After");
  return headers;
}

HttpReply AccessControl::permitted(const HttpRequest& request, bool needs_token,
                                   const std::function<HttpReply()>& handle) const {
  if (token_.empty() || !needs_token || has_token(request.header("Authorization"), token_)) return handle();
  HttpResponse refusal = error_response(401, "a token is needed: Authorization: Bearer TOKEN");
  refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
  return refusal;
}

}  // namespace nowhere
