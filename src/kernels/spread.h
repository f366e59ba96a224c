// How much the pictures of a group differ from each other: the standard deviation of each number over the
// group, and the mean of these (minibatch standard deviation, Karras et al. 2018).
#pragma once

#include <cstdint>
#include <span>

#include "kernels/workers.h"

namespace nowhere {

struct GroupShape {
  int64_t groups = 0, pictures = 0, numbers = 0;  // pictures of a group, numbers of a picture
};

// maps [groups, pictures, numbers] -> spreads [groups]. The same bits for any number of workers.
void measure_spreads(const GroupShape& shape, const float* maps, std::span<float> spreads,
                     const Workers& workers);

// The gradient to the maps, of the gradient to the spreads [groups].
void gradient_of_spreads(const GroupShape& shape, const float* maps, std::span<const float> gradient,
                         float* result, const Workers& workers);

}  // namespace nowhere
