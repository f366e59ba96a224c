// Points in the space that a generator draws from: standard normal vectors. Plain numbers, the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

namespace nowhere {

using Latent = std::vector<float>;

// The vector of a seed: a pure function of the seed and the size.
Latent seed_latent(uint64_t seed, int size);

// Nearer to the middle by a factor in [0, 1]: more usual pictures, and less different ones.
Latent truncated(Latent latent, double truncation);

// Along the arc from `from` (t = 0) to `to` (t = 1), both given back exactly; a straight line where the two are collinear.
Latent slerp(const Latent& from, const Latent& to, double t);

// Turned by `angle` radians towards the direction of the `number`-th neighbour; as long as before. 0 to pi / 2.
Latent neighbour(const Latent& latent, uint64_t number, double angle);

// The arcs from each stop to the next and from the last back to the first, `frames` to an arc: the stop itself, then the
// way. A single stop stands still.
std::vector<Latent> closed_walk(const std::vector<Latent>& stops, int frames);

}  // namespace nowhere
