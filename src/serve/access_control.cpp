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

HttpReply AccessControl::reply(const HttpRequest& request, bool needs_token,
                               const std::function<HttpReply()>& handle) const {
  if (origins_.empty()) return permitted(request, needs_token, handle);
  HttpHeaders headers = {{"Vary", "Origin"}};
  const std::string_view origin = request.header("Origin");
  const auto known = std::ranges::find(origins_, origin);
  if (known == origins_.end()) return with(permitted(request, needs_token, handle), std::move(headers));
  // The header sent back is the configured origin, never the client's text.
  headers.emplace_back("Access-Control-Allow-Origin", *known);
  headers.emplace_back("Access-Control-Expose-Headers", "ETag, Retry-After");
  return with(is_preflight(request) ? preflight() : permitted(request, needs_token, handle),
              std::move(headers));
}

HttpReply AccessControl::permitted(const HttpRequest& request, bool needs_token,
                                   const std::function<HttpReply()>& handle) const {
  if (token_.empty() || !needs_token || has_token(request.header("Authorization"), token_)) return handle();
  HttpResponse refusal = error_response(401, "a token is needed: Authorization: Bearer TOKEN");
  refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
  return refusal;
}

}  // namespace nowhere
