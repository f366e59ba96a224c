#include "serve/access_control.h"

#include <algorithm>
#include <utility>

#include "serve/http_rules.h"

namespace nowhere {
namespace {

void add(HttpHeaders& to, const HttpHeaders& headers) {
  to.insert(to.end(), headers.begin(), headers.end());
}

HttpReply with(HttpReply reply, HttpHeaders headers) {
  if (!reply.later) {
    add(reply.response.headers, headers);
    return reply;
  }
  return HttpReply([begin = std::move(reply.later), headers = std::move(headers)](HttpRespond respond) {
    begin([respond = std::move(respond), headers](HttpResponse response) {
      add(response.headers, headers);
      respond(std::move(response));
    });
  });
}

// A browser's question whether a page may send headers of its own.
bool is_preflight(const HttpRequest& request) {
  return request.method == "OPTIONS" && !request.header("Access-Control-Request-Method").empty();
}

HttpResponse preflight() {
  return {.status = 204,
          .headers = {{"Access-Control-Allow-Methods", "GET, HEAD"},
                      {"Access-Control-Allow-Headers", "Authorization"},
                      {"Access-Control-Max-Age", "600"}}};
}

}  // namespace

HttpReply AccessControl::reply(const HttpRequest& request) const {
  if (origins_.empty()) return permitted(request);
  HttpHeaders headers = {{"Vary", "Origin"}};
  const std::string_view origin = request.header("Origin");
  // The header sent back is the configured origin, never the client's text.
  const auto known = std::ranges::find(origins_, origin);
  if (known == origins_.end()) return with(permitted(request), std::move(headers));
  headers.emplace_back("Access-Control-Allow-Origin", *known);
  headers.emplace_back("Access-Control-Expose-Headers", "ETag, Retry-After");
  return with(is_preflight(request) ? preflight() : permitted(request), std::move(headers));
}

HttpReply AccessControl::permitted(const HttpRequest& request) const {
  if (!token_.empty() && !is_open(request) && !has_token(request.header("Authorization"), token_)) {
    HttpResponse refusal = error_response(401, "a token is needed: Authorization: Bearer TOKEN");
    refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refusal;
  }
  return router_.reply(request);
}

bool AccessControl::is_open(const HttpRequest& request) const {
  Parameters ignored;
  const Route* route = router_.find(request.path, ignored);
  return route != nullptr && route->without_token;
}

}  // namespace nowhere
