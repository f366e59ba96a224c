#include "serve/api_limits.h"

#include <fmt/core.h>

#include <utility>

namespace nowhere {
namespace {

namespace json = boost::json;

std::string plain_number(const json::value& value) {
  // Boost would write 1.5 as 1.5E0.
  return value.is_double() ? fmt::format("{}", value.get_double()) : json::serialize(value);
}

}  // namespace

json::object api_limits() {
  return {{"max_grid_pictures", kMaxGridPictures},
          {"min_morph_seeds", kMinMorphSeeds},
          {"max_morph_seeds", kMaxMorphSeeds},
          {"min_leg_frames", kMinLegFrames},
          {"max_leg_frames", kMaxLegFrames},
          {"max_morph_frames", kMaxMorphFrames},
          {"min_frame_ms", kMinFrameMs},
          {"max_frame_ms", kMaxFrameMs},
          {"max_neighbours", kMaxNeighbours},
          {"max_angle", kMaxAngle},
          {"arc_steps", kArcSteps},
          {"min_digest_digits", kMinDigestDigits},
          {"max_digest_digits", kMaxDigestDigits}};
}

std::string with_limits(std::string text) {
  for (const auto& [name, value] : api_limits()) {
    const std::string placeholder = fmt::format("{{{}}}", std::string_view(name));
    const std::string digits = plain_number(value);
    for (size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at))
      text.replace(at, placeholder.size(), digits);
  }
  return text;
}

}  // namespace nowhere
