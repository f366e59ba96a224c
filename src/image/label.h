// Pictures side by side, with a label above each.
#pragma once

#include <string>
#include <vector>

#include "image/image.h"

namespace nowhere {

struct Labelled {
  std::string label;
  const Image* image;
};

// On white, from left to right, aligned at the top.
Image side_by_side(const std::vector<Labelled>& pictures);

}  // namespace nowhere
