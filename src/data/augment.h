// Which part of a frame a sample shows.
#pragma once

#include <string>

#include "core/options.h"
#include "core/random.h"
#include "image/crop_size.h"
#include "image/image.h"

namespace nowhere {

enum class Crop { kCentre, kRandom };

struct AugmentConfig {
  Crop crop = Crop::kRandom;
  CropSize crop_size;
  // How far a random crop may move to either side of the centre, as a share of the frame's width. Where the
  // frame ends sooner, positions are spread evenly over the room there is.
  double max_shift = 0.3;
  bool flip = true;  // mirror half of the samples left to right

  // "--crop", "--crop-size", "--max-shift" and "--flip". `note` ends the help of the first.
  void declare(Options& options, const std::string& note = "");
};

struct Window {
  Box box;  // a square
  bool flip = false;
};

// A window of a frame of width x height pixels; `side` is the crop's, in pixels of the frame. Draws from
// `random` only what the configuration asks for.
Window choose_window(int width, int height, int side, const AugmentConfig& config, Random& random);

// "--crop-size": a share of the shorter side or pixels, and, where samples are made, "4x".
void declare_crop_size(Options& options, CropSize& target, bool with_samples, const std::string& help);

}  // namespace nowhere
