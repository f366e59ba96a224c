#include "serve/router.h"

#include <algorithm>
#include <utility>

namespace nowhere {
namespace {

std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);  // the slash
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

// A piece of a pattern: literal text, or "{name}" for any text that is not empty.
bool fits_piece(std::string_view pattern, std::string_view text, Parameters& parameters) {
  if (!pattern.starts_with('{')) return pattern == text;
  if (text.empty()) return false;
  parameters[std::string(pattern.substr(1, pattern.size() - 2))] = std::string(text);
  return true;
}

// "{seed}.{format}" has two pieces, "{name}" and "morph" have one.
bool fits_segment(std::string_view pattern, std::string_view text, Parameters& parameters) {
  const auto decoded = percent_decoded(text);
  if (!decoded) return false;
  const size_t pattern_dot = pattern.rfind('.'), text_dot = decoded->rfind('.');
  if (!pattern.ends_with('}') || pattern_dot == std::string_view::npos)
    return fits_piece(pattern, *decoded, parameters);
  if (text_dot == std::string::npos) return false;
  const std::string_view whole = *decoded;
  return fits_piece(pattern.substr(0, pattern_dot), whole.substr(0, text_dot), parameters) &&
         fits_piece(pattern.substr(pattern_dot + 1), whole.substr(text_dot + 1), parameters);
}

bool fits(std::string_view pattern, std::string_view path, Parameters& parameters) {
  parameters.clear();
  if (!path.starts_with('/')) return false;
  while (!pattern.empty() && !path.empty())
    if (!fits_segment(take_segment(pattern), take_segment(path), parameters)) return false;
  return pattern.empty() && path.empty();
}

}  // namespace

RouteMatch Router::find(std::string_view path) const {
  Parameters parameters;
  for (const Route& route : routes_)
    if (fits(route.pattern, path, parameters)) return {&route, std::move(parameters)};
  return {};
}

RouteAccess RouteMatch::access() const {
  if (route == nullptr) return {};
  return {.needs_token = !route->without_token, .for_every_page = route->for_every_page};
}

HttpReply RouteMatch::reply(const HttpRequest& request) const {
  if (route == nullptr) return error_response(404, "not found");
  if (!request.only_reads()) return method_not_allowed("GET, HEAD");
  if (route->any_query) return route->handle(request, parameters);
  auto all = parse_query(request.query, route->query);
  if (!all) return error_response(400, all.error().reason);
  all->insert(parameters.begin(), parameters.end());
  return route->handle(request, *all);
}

}  // namespace nowhere
