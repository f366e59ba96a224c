#include "latent/latent_point.h"

#include <utility>

namespace nowhere {

Latent latent_of(const LatentPoint& point, int size) {
  Latent latent = seed_latent(point.seed, size);
  if (point.t > 0) latent = slerp(latent, seed_latent(point.towards, size), point.t);
  if (point.angle > 0) latent = neighbour(latent, point.neighbour, point.angle);
  return point.truncation < 1 ? truncated(std::move(latent), point.truncation) : latent;
}

}  // namespace nowhere
