// Which part of a frame a sample shows.
#pragma once

#include <string>

#include "core/options.h"
#include "core/random.h"
#include "image/image.h"

namespace nowhere {

enum class Crop { kCentre, kRandom };

struct AugmentConfig {
  Crop crop = Crop::kRandom;
  // How far a random crop may move to either side of the centre, as a share of the frame's width. The crop
  // stays inside the frame.
  double max_shift = 0.3;
  bool flip = true;  // mirror half of the samples left to right

  // "--crop", "--max-shift" and "--flip". `note` ends the help of the first.
  void declare(Options& options, const std::string& note = "");
};

struct Window {
  Box box;  // the largest square, or a moved one
  bool flip = false;
};

// Draws from `random` only what the configuration asks for.
Window choose_window(int width, int height, const AugmentConfig& config, Random& random);

}  // namespace nowhere
