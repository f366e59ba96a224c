// A point of the latent space given by seeds. It becomes a vector once the size of the generator's input is
// known.
#pragma once

#include <cstdint>

#include "latent/latent.h"

namespace nowhere {

// Applied in the order of the fields: along the arc between two seeds, towards a neighbour, then the
// truncation.
struct LatentPoint {
  uint64_t seed = 0;
  uint64_t towards = 0;    // the seed at the far end of the arc
  double t = 0;            // 0: at `seed`, 1: at `towards`
  uint64_t neighbour = 0;  // number of the neighbour that `angle` turns to
  double angle = 0;        // radians; 0: no neighbour
  double truncation = 1;
};

Latent latent_of(const LatentPoint& point, int size);

}  // namespace nowhere
