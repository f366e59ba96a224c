#include "serve/routes.h"

namespace nowhere {
namespace {

constexpr size_t kShortestDigest = 12, kLongestDigest = 128;

}  // namespace

std::vector<Route> all_routes(const RouteParts& parts) {
  std::vector<Route> routes;
  add_image_routes(routes, parts);
  add_sheet_routes(routes, parts);
  add_original_routes(routes, parts);
  add_model_routes(routes, parts);
  add_health_routes(routes, parts);
  add_page_routes(routes, parts);
  return routes;
}

ModelTerms read_model_terms(ParameterReader& reader) {
  ModelTerms terms;
  if (reader.has("epoch")) terms.epoch = reader.integer("epoch", 0, INT64_MAX);
  terms.digest = reader.hex("model", kShortestDigest, kLongestDigest);
  return terms;
}

double read_truncation(ParameterReader& reader) {
  return reader.number("truncation", 0, 1, 1);
}

}  // namespace nowhere
