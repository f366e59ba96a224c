// The spread over groups of pictures as a channel of its own, by which a discriminator sees that pictures are
// alike.
#pragma once

#include <torch/torch.h>

#include "model/choices.h"

namespace nowhere {

// [N,C,H,W] -> [N,1,H,W], the same number at every place of a group of `group` pictures.
torch::Tensor group_spread(const torch::Tensor& maps, int64_t group, Kernels kernels);

}  // namespace nowhere
