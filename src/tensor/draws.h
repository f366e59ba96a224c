// Random tensors as a pure function of (seed, purpose, names): nothing to save but the step's number.
#pragma once

#include <torch/torch.h>

#include <initializer_list>

#include "core/random.h"

namespace nowhere {

// A generator of the device that starts where the key says.
at::Generator keyed_generator(const torch::Device& device, uint64_t seed, Purpose purpose,
                              std::initializer_list<uint64_t> names = {});

}  // namespace nowhere
