// How large a square is cut out of a photograph before it is shrunk to a sample.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nowhere {

struct CropSize {
  enum class Unit {
    kShare,   // of the photograph's shorter side
    kPixels,  // of the photograph
    kSamples  // times the side of a sample, in pixels of the photograph
  };
  Unit unit = Unit::kShare;
  double amount = 1;

  // Pixels of a photograph whose shorter side is given, at least 1 and at most that side.
  int side(int short_side, int sample) const;
  bool is_full() const { return unit == Unit::kShare && amount >= 1; }

  // "full", "0.5" (a share), "256" (pixels) or "4x" (times a sample's side).
  static std::optional<CropSize> parse(std::string_view text);
  std::string text() const;

  bool operator==(const CropSize&) const = default;
};

// How much of a photograph's detail is wanted: enough for a crop that is shrunk to `side` pixels, or, when
// that is 0, all of it.
struct Detail {
  int side = 0;
  CropSize crop = {};
};

}  // namespace nowhere
