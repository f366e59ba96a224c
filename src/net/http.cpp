#include "net/http.h"

#include <algorithm>
#include <boost/json.hpp>

#include "core/text.h"

namespace nowhere {
namespace {

bool token_character(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool value_character(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [wanted = lower(name)](const auto& header) { return lower(header.first) == wanted; });
  return found == headers.end() ? std::string_view() : found->second;
}

HttpResponse error_response(int status, std::string_view message) {
  namespace json = boost::json;
  const json::object body = {{"error", {{"status", status}, {"message", json::string(message)}}}};
  return {.status = status,
          .content_type = "application/json",
          .headers = {{"Cache-Control", "no-store"}},
          .body = json::serialize(body) + '\n'};
}

HttpResponse method_not_allowed(std::string allowed) {
  HttpResponse response = error_response(405, "method not allowed");
  response.headers.emplace_back("Allow", std::move(allowed));
  return response;
}

bool set_target(HttpRequest& request, std::string_view target) {
  request.target = target;
  // "GET http://host/path", as sent to proxies: servers have to understand it too.
  if (lower(target.substr(0, 7)) == "http://") {
    target.remove_prefix(7);
    target.remove_prefix(std::min(target.find_first_of("/?"), target.size()));
    request.path = target.starts_with('/') ? "" : "/";
  } else if (!target.starts_with('/') && target != "*") {
    return false;
  }
  const size_t end = std::min(target.find('?'), target.size());
  request.path += target.substr(0, end);
  request.query = target.substr(std::min(end + 1, target.size()));
  return true;
}

bool sendable(const HttpHeaders& headers) {
  return std::ranges::all_of(headers, [](const auto& header) {
    return !header.first.empty() && std::ranges::all_of(header.first, token_character) &&
           std::ranges::all_of(header.second, value_character);
  });
}

}  // namespace nowhere
