// Latent vectors: standard normal vectors, the input of a generator. Plain numbers, the same on every
// machine.
#pragma once

#include <cstdint>
#include <vector>

namespace nowhere {

using Latent = std::vector<float>;

// The vector of a seed: a pure function of the seed and the size.
Latent seed_latent(uint64_t seed, int size);

// Scaled by a factor in [0, 1]: nearer to the mean, so pictures are more typical and less diverse.
Latent truncated(Latent latent, double truncation);

// Spherical interpolation from `from` (t = 0) to `to` (t = 1), exact at both ends; a straight line where the
// two are collinear.
Latent slerp(const Latent& from, const Latent& to, double t);

// Rotated by `angle` radians (0 to pi / 2) towards the `number`-th neighbour; the length stays the same.
Latent neighbour(const Latent& latent, uint64_t number, double angle);

// The arcs from each stop to the next and from the last back to the first, `frames` vectors each, starting
// with the stop itself. A single stop gives a single vector.
std::vector<Latent> closed_walk(const std::vector<Latent>& stops, int frames);

}  // namespace nowhere
