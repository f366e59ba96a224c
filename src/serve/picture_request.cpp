#include "serve/picture_request.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "image/encode.h"
#include "image/grid.h"
#include "image/vips.h"

namespace nowhere {
namespace {

struct FormatRow {
  PictureFormat format;
  std::string_view ending;
  std::string_view mime;
};

constexpr FormatRow kFormats[] = {{PictureFormat::kPng, "png", "image/png"},
                                  {PictureFormat::kWebp, "webp", "image/webp"},
                                  {PictureFormat::kJpeg, "jpg", "image/jpeg"},
                                  {PictureFormat::kGif, "gif", "image/gif"}};

const FormatRow& row_of(PictureFormat format) {
  return kFormats[static_cast<size_t>(format)];
}

// The ends of an arc are the pictures of its seeds, and values without effect are not part of a picture's
// name.
LatentPoint simplified(LatentPoint point) {
  if (point.t >= 1) point.seed = point.towards;
  if (point.t <= 0 || point.t >= 1 || point.seed == point.towards) point.t = 0;
  if (point.t == 0) point.towards = 0;
  if (point.angle <= 0) point.neighbour = 0;
  return point;
}

constexpr uint8_t kWhite = 255;

}  // namespace

std::optional<PictureFormat> format_of(std::string_view ending) {
  for (const FormatRow& row : kFormats)
    if (row.ending == ending) return row.format;
  return std::nullopt;
}

std::string_view ending_of(PictureFormat format) {
  return row_of(format).ending;
}

std::string_view mime_of(PictureFormat format) {
  return row_of(format).mime;
}

PictureRequest still_request(LatentPoint point, PictureFormat format) {
  point = simplified(point);
  PictureRequest request;
  request.format = format;
  request.points = {point};
  request.canonical = fmt::format("still {} {} {} {} {} {} {}", ending_of(format), point.seed, point.towards,
                                  point.t, point.neighbour, point.angle, point.truncation);
  return request;
}

PictureRequest grid_request(const std::vector<uint64_t>& seeds, int columns, double truncation,
                            PictureFormat format) {
  const int count = static_cast<int>(seeds.size());
  PictureRequest request;
  request.layout = PictureRequest::Layout::kGrid;
  request.format = format;
  if (columns == 0) columns = static_cast<int>(std::ceil(std::sqrt(count)));
  request.columns = std::min(columns, count);
  for (const uint64_t seed : seeds) request.points.push_back({.seed = seed, .truncation = truncation});
  request.canonical =
      fmt::format("grid {} {} {} {}", ending_of(format), request.columns, truncation, fmt::join(seeds, ","));
  return request;
}

PictureRequest morph_request(const std::vector<uint64_t>& seeds, uint64_t frames, int frame_ms,
                             double truncation, PictureFormat format) {
  PictureRequest request;
  request.layout = PictureRequest::Layout::kMorph;
  request.format = format;
  request.frame_ms = frame_ms;
  for (size_t leg = 0; leg < seeds.size(); ++leg)
    for (uint64_t frame = 0; frame < frames; ++frame)
      request.points.push_back(simplified({.seed = seeds[leg],
                                           .towards = seeds[(leg + 1) % seeds.size()],
                                           .t = static_cast<double>(frame) / static_cast<double>(frames),
                                           .truncation = truncation}));
  request.canonical = fmt::format("morph {} {} {} {} {}", ending_of(format), frames, frame_ms, truncation,
                                  fmt::join(seeds, ","));
  return request;
}

size_t max_pictures(int size) {
  constexpr size_t kMaxPixels = 64 * 512 * 512;
  return kMaxPixels / (static_cast<size_t>(size) * static_cast<size_t>(size));
}

bool has_room(const PictureRequest& request, int size) {
  constexpr int kMaxWebpSide = 16383;  // pixels a side
  if (request.layout != PictureRequest::Layout::kGrid || request.format != PictureFormat::kWebp) return true;
  const int count = static_cast<int>(request.points.size());
  const int longest = std::max(request.columns, (count + request.columns - 1) / request.columns);
  return longest * (size + kGridPadding) + kGridPadding <= kMaxWebpSide;
}

std::vector<uint8_t> encode(const PictureRequest& request, const std::vector<Image>& pictures) {
  const bool webp = request.format == PictureFormat::kWebp;
  if (request.layout == PictureRequest::Layout::kMorph)
    return webp ? encode_webp_animation(pictures, request.frame_ms) : encode_gif(pictures, request.frame_ms);
  const bool grid = request.layout == PictureRequest::Layout::kGrid;
  const Image sheet = grid ? make_grid(pictures, request.columns, kGridPadding, kWhite) : pictures.at(0);
  if (request.format == PictureFormat::kJpeg) return encode_jpeg(sheet);
  return webp ? encode_webp(sheet) : encode_png(sheet);
}

std::string encoder_version() {
  return "6 " + vips_version_text();
}

}  // namespace nowhere
