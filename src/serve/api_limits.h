// The limits of the API, which clients find at /v1/limits and in web/openapi.json.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace nowhere
