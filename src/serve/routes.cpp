#include "serve/routes.h"

#include "serve/api_limits.h"

namespace nowhere {

std::vector<Route> all_routes(const RouteParts& parts) {
  std::vector<Route> routes;
  add_image_routes(routes, parts);
  add_sheet_routes(routes, parts);
  add_reference_routes(routes, parts);
  add_model_routes(routes, parts);
  add_health_routes(routes, parts);
  add_page_routes(routes, parts);
  return routes;
}

RequestedModel read_requested_model(ParameterReader& reader) {
  RequestedModel requested;
  if (reader.has("epoch")) requested.epoch = reader.integer("epoch", 0, INT64_MAX);
  requested.digest = reader.hex("model", kMinDigestDigits, kMaxDigestDigits);
  return requested;
}

double read_truncation(ParameterReader& reader) {
  return reader.number("truncation", 0, 1, 1);
}

}  // namespace nowhere
