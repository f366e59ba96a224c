#include "image/crop_size.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace nowhere {

int CropSize::side(int short_side, int sample) const {
  const double unit_pixels = unit == Unit::kShare ? short_side : unit == Unit::kSamples ? sample : 1;
  const double pixels = std::min(amount * unit_pixels, static_cast<double>(short_side));
  return std::max(1, static_cast<int>(std::lround(pixels)));
}

std::optional<CropSize> CropSize::parse(std::string_view text) {
  constexpr double kMaxPixels = 1e6;
  if (text == "full") return CropSize{};
  const bool samples = text.ends_with('x');
  if (samples) text.remove_suffix(1);
  const auto amount = parse_number(text);
  if (!amount || !(*amount > 0) || *amount > kMaxPixels) return std::nullopt;
  if (samples) return CropSize{Unit::kSamples, *amount};
  if (*amount <= 1) return CropSize{Unit::kShare, *amount};
  if (*amount != std::floor(*amount)) return std::nullopt;
  return CropSize{Unit::kPixels, *amount};
}

std::string CropSize::text() const {
  if (is_full()) return "full";
  return fmt::format("{}{}", amount, unit == Unit::kSamples ? "x" : "");
}

}  // namespace nowhere
