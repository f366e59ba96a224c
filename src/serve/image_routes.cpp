#include <fmt/core.h>

#include "serve/api_limits.h"
#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

constexpr double kNeighbourAngle = 0.5;  // radians

const std::vector<std::string> kCommonQuery = {"epoch", "model", "truncation"};

PictureFormat read_format(ParameterReader& reader) {
  return reader.format({PictureFormat::kPng, PictureFormat::kWebp, PictureFormat::kJpeg});
}

HttpReply answer(PictureMaker& pictures, const HttpRequest& request, ParameterReader& reader,
                 LatentPoint point) {
  point.truncation = read_truncation(reader);
  const PictureFormat format = read_format(reader);
  RequestedModel requested = read_requested_model(reader);
  if (reader.failed()) return reader.refusal();
  return pictures.cacheable(request, still_request(point, format), std::move(requested));
}

// Redirects to the address of a fresh seed, which can then be kept and shared.
HttpReply random_image(FreshSeeds& seeds, const HttpRequest& request, const Parameters& parameters) {
  ParameterReader reader(parameters);
  const PictureFormat format = read_format(reader);
  read_truncation(reader);
  read_requested_model(reader);
  if (reader.failed()) return reader.refusal();
  return redirect(fmt::format("/v1/images/{}.{}{}{}", seeds.next(), ending_of(format),
                              request.query.empty() ? "" : "?", request.query));
}

}  // namespace

void add_image_routes(std::vector<Route>& routes, const RouteParts& parts) {
  PictureMaker& pictures = parts.pictures;
  routes.push_back(
      {.name = "random",
       .pattern = "/v1/images/random.{format}",
       .query = kCommonQuery,
       .handle = [&seeds = parts.seeds](const HttpRequest& request, const Parameters& parameters) {
         return random_image(seeds, request, parameters);
       }});
  routes.push_back({.name = "image",
                    .pattern = "/v1/images/{seed}.{format}",
                    .query = kCommonQuery,
                    .handle = [&pictures](const HttpRequest& request, const Parameters& parameters) {
                      ParameterReader reader(parameters);
                      return answer(pictures, request, reader,
                                    {.seed = reader.integer("seed", 0, UINT64_MAX)});
                    }});
  routes.push_back({.name = "between",
                    .pattern = "/v1/between/{a}/{b}/{t}.{format}",
                    .query = kCommonQuery,
                    .handle = [&pictures](const HttpRequest& request, const Parameters& parameters) {
                      ParameterReader reader(parameters);
                      LatentPoint point{.seed = reader.integer("a", 0, UINT64_MAX),
                                        .towards = reader.integer("b", 0, UINT64_MAX)};
                      point.t = static_cast<double>(reader.integer("t", 0, kArcSteps)) / kArcSteps;
                      return answer(pictures, request, reader, point);
                    }});
  routes.push_back({.name = "near",
                    .pattern = "/v1/near/{seed}/{k}.{format}",
                    .query = {"epoch", "model", "truncation", "angle"},
                    .handle = [&pictures](const HttpRequest& request, const Parameters& parameters) {
                      ParameterReader reader(parameters);
                      LatentPoint point{.seed = reader.integer("seed", 0, UINT64_MAX),
                                        .neighbour = reader.integer("k", 1, kMaxNeighbours)};
                      point.angle = reader.number("angle", 0, kMaxAngle, kNeighbourAngle);
                      return answer(pictures, request, reader, point);
                    }});
}

}  // namespace nowhere
