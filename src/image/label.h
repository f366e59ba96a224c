// Pictures beside each other with a name over each.
#pragma once

#include <string>
#include <vector>

#include "image/image.h"

namespace nowhere {

struct Labelled {
  std::string label;
  const Image* image;
};

// On white, from the left, tops in line.
Image side_by_side(const std::vector<Labelled>& pictures);

}  // namespace nowhere
