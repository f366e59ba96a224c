// A point in latent space, given by seeds. It becomes a latent vector once the generator is known.
#pragma once

#include <cstdint>

#include "core/latent.h"

namespace nowhere {

struct LatentPoint {
  uint64_t seed = 0;
  uint64_t towards = 0;  // the seed that t leads to
  double t = 0;          // 0: at `seed`, 1: at `towards`
  uint64_t neighbour = 0;
  double angle = 0;  // radians from there towards that neighbour; 0: none
  double truncation = 1;
};

inline Latent latent_of(const LatentPoint& point, int size) {
  Latent latent = seed_latent(point.seed, size);
  if (point.t > 0) latent = slerp(latent, seed_latent(point.towards, size), point.t);
  if (point.angle > 0) latent = neighbour(latent, point.neighbour, point.angle);
  return point.truncation < 1 ? truncated(std::move(latent), point.truncation) : latent;
}

}  // namespace nowhere
