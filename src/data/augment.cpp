#include "data/augment.h"

#include <algorithm>
#include <cmath>

namespace nowhere {

void declare_crop_size(Options& options, CropSize& target, bool with_samples, const std::string& help) {
  Option option;
  option.name = "crop-size";
  option.takes = "SIZE";
  option.accepts = "full, a share of the shorter side up to 1, or whole pixels above 1";
  if (with_samples) option.accepts += ", or a multiple of the sample's side such as 4x";
  option.help = help;
  option.set = [&target, with_samples](const std::string& text) {
    const auto size = CropSize::parse(text);
    if (!size || (size->unit == CropSize::Unit::kSamples && !with_samples)) return false;
    target = *size;
    return true;
  };
  option.value = [&target] { return boost::json::string(target.text()); };
  options.add(std::move(option));
}

void AugmentConfig::declare(Options& options, const std::string& note) {
  options.choice("crop", crop, {{"random", Crop::kRandom}, {"centre", Crop::kCentre}},
                 "the square of a frame: moved at random, or the middle" + note);
  declare_crop_size(options, crop_size, /*with_samples=*/true,
                    "the square's side: full, a share, pixels, or 4x the sample's");
  options.number("max-shift", max_shift, 0, 0.5, "how far a random crop moves, as a share of the width");
  options.yes_no("flip", flip, "mirror half of the samples");
}

Window choose_window(int width, int height, int side, const AugmentConfig& config, Random& random) {
  Window window{{(width - side) / 2, (height - side) / 2, side, side}, false};
  if (config.crop == Crop::kRandom) {
    const int shift = static_cast<int>(std::lround(config.max_shift * width));
    const int first = std::max(window.box.x - shift, 0);
    const int last = std::min(window.box.x + shift, width - side);
    window.box.x = first + static_cast<int>(random.below(static_cast<uint64_t>(last - first) + 1));
  }
  if (config.flip) window.flip = random.chance(0.5);
  return window;
}

}  // namespace nowhere
