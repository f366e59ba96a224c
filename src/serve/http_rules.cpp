#include "serve/http_rules.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "core/text.h"

namespace nowhere {

std::string etag_of(std::string_view text) {
  SetDigest digest;
  digest.add({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return '"' + digest.hex() + '"';
}

bool matches_etag(std::string_view if_none_match, std::string_view etag) {
  for (std::string_view name : split_list(if_none_match)) {
    if (name == "*") return true;
    if (name.starts_with("W/")) name.remove_prefix(2);  // If-None-Match compares weakly
    if (name == etag) return true;
  }
  return false;
}

HttpResponse cacheable_response(std::string_view if_none_match, const std::string& etag,
                                std::string cache_control, std::string content_type, HttpBody body) {
  HttpResponse response{.content_type = std::move(content_type),
                        .headers = {{"ETag", etag}, {"Cache-Control", std::move(cache_control)}}};
  if (matches_etag(if_none_match, etag))
    response.status = 304;
  else
    response.body = std::move(body);
  return response;
}

HttpResponse json_response(std::string text) {
  return {
      .content_type = "application/json", .headers = {{"Cache-Control", kNoStore}}, .body = std::move(text)};
}

HttpResponse redirect(std::string location) {
  return {.status = 302, .headers = {{"Location", std::move(location)}, {"Cache-Control", kNoStore}}};
}

HttpResponse unavailable(std::string_view message) {
  HttpResponse response = error_response(503, message);
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpHeaders security_headers() {
  return {
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};
}

void keep_private(HttpHeaders& headers) {
  constexpr std::string_view kPublic = "public";
  const auto caching =
      std::ranges::find(headers, "Cache-Control", [](const auto& header) { return header.first; });
  if (caching == headers.end())
    headers.emplace_back("Cache-Control", kNoStore);
  else if (caching->second.starts_with(kPublic))
    caching->second.replace(0, kPublic.size(), "private");
}

bool has_token(std::string_view authorization, std::string_view token) {
  constexpr size_t kScheme = 7;
  if (lower(authorization.substr(0, kScheme)) != "bearer ") return false;
  const std::string_view given = authorization.substr(kScheme);
  // The number of steps depends on the client's text alone, not on the token.
  auto difference = static_cast<unsigned>(given.size() ^ token.size());
  for (size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ token[i % token.size()]);
  return difference == 0;
}

}  // namespace nowhere
