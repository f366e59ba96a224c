// The limits of the API, which clients find at /v1/limits, in web/openapi.json and on the page at /docs.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

namespace nowhere {

constexpr size_t kMaxGridPictures = 64;
constexpr size_t kMinMorphSeeds = 2, kMaxMorphSeeds = 8;
constexpr uint64_t kMinLegFrames = 2, kMaxLegFrames = 64;  // from one seed of a morph to the next
constexpr uint64_t kMaxMorphFrames = 256;                  // in total
constexpr int kMinFrameMs = 20, kMaxFrameMs = 1000;
constexpr uint64_t kMaxNeighbours = 64;
constexpr double kMaxAngle = 1.5;     // radians, from a seed to its neighbour
constexpr uint64_t kArcSteps = 1000;  // from one seed to another
constexpr size_t kMinDigestDigits = 12, kMaxDigestDigits = 128;

// All of them by name.
boost::json::object api_limits();
// The text with each "{NAME}" of a limit replaced by its number.
std::string with_limits(std::string text);

}  // namespace nowhere
