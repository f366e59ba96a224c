#include "data/augment.h"

#include <algorithm>
#include <cmath>

namespace nowhere {

void AugmentConfig::declare(Options& options, const std::string& note) {
  options.choice("crop", crop, {{"random", Crop::kRandom}, {"centre", Crop::kCentre}},
                 "the square of a frame: moved at random, or the middle" + note);
  options.number("max-shift", max_shift, 0, 0.5, "how far a random crop moves, as a share of the width");
  options.yes_no("flip", flip, "mirror half of the samples");
}

Window choose_window(int width, int height, const AugmentConfig& config, Random& random) {
  const int side = std::min(width, height);
  Window window{{(width - side) / 2, (height - side) / 2, side, side}, false};
  if (config.crop == Crop::kRandom) {
    const double shift = random.uniform(-config.max_shift, config.max_shift) * width;
    window.box.x = std::clamp(window.box.x + static_cast<int>(std::lround(shift)), 0, width - side);
  }
  if (config.flip) window.flip = random.chance(0.5);
  return window;
}

}  // namespace nowhere
