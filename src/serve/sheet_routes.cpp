#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "serve/api_limits.h"
#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

constexpr uint64_t kGridPictures = 16;

// Redirects to the same address with fresh seeds written out.
HttpResponse to_fresh_seeds(FreshSeeds& seeds, const Parameters& parameters, uint64_t count) {
  std::string target =
      fmt::format("/v1/grid.{}?seeds={}", parameters.at("format"), fmt::join(seeds.next(count), ","));
  for (const auto& [name, value] : parameters)
    if (name != "format" && name != "n") target += fmt::format("&{}={}", name, value);
  return redirect(std::move(target));
}

HttpReply grid(const RouteParts& parts, const HttpRequest& request, const Parameters& parameters) {
  ParameterReader reader(parameters);
  const PictureFormat format = reader.format({PictureFormat::kPng, PictureFormat::kWebp});
  const int columns = static_cast<int>(reader.integer("cols", 1, kMaxGridPictures, 0));
  const double truncation = read_truncation(reader);
  RequestedModel requested = read_requested_model(reader);
  const uint64_t count = reader.integer("n", 1, kMaxGridPictures, kGridPictures);
  if (!reader.has("seeds")) {
    if (reader.failed()) return reader.refusal();
    return to_fresh_seeds(parts.seeds, parameters, count);
  }
  const auto seeds = reader.seeds("seeds", 1, kMaxGridPictures);
  if (reader.failed()) return reader.refusal();
  return parts.pictures.cacheable(request, grid_request(seeds, columns, truncation, format),
                                  std::move(requested));
}

HttpReply morph(const RouteParts& parts, const HttpRequest& request, const Parameters& parameters) {
  ParameterReader reader(parameters);
  const PictureFormat format = reader.format({PictureFormat::kGif, PictureFormat::kWebp});
  const auto seeds = reader.seeds("seeds", kMinMorphSeeds, kMaxMorphSeeds);
  const uint64_t frames = reader.integer("frames", kMinLegFrames, kMaxLegFrames, kMorphFrames);
  const int frame_ms = static_cast<int>(reader.integer("ms", kMinFrameMs, kMaxFrameMs, kMorphFrameMs));
  const double truncation = read_truncation(reader);
  RequestedModel requested = read_requested_model(reader);
  if (reader.failed()) return reader.refusal();
  const auto model = parts.provider.current();
  const uint64_t max_frames = std::min<uint64_t>(
      kMaxMorphFrames, model ? max_pictures(model->facts().picture_size) : kMaxMorphFrames);
  const uint64_t shown = std::min(frames, max_frames / seeds.size());
  return parts.pictures.cacheable(request, morph_request(seeds, shown, frame_ms, truncation, format),
                                  std::move(requested));
}

}  // namespace

void add_sheet_routes(std::vector<Route>& routes, const RouteParts& parts) {
  routes.push_back({.name = "grid",
                    .pattern = "/v1/grid.{format}",
                    .query = {"seeds", "n", "cols", "epoch", "model", "truncation"},
                    .handle = [parts](const HttpRequest& request, const Parameters& parameters) {
                      return grid(parts, request, parameters);
                    }});
  routes.push_back({.name = "morph",
                    .pattern = "/v1/morph.{format}",
                    .query = {"seeds", "frames", "ms", "epoch", "model", "truncation"},
                    .handle = [parts](const HttpRequest& request, const Parameters& parameters) {
                      return morph(parts, request, parameters);
                    }});
}

}  // namespace nowhere
