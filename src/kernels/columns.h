// The windows that a 4 x 4 kernel of stride 2 and padding 1 sees of a map, one row each, and back.
#pragma once

#include <torch/torch.h>

namespace nowhere {

constexpr int64_t kKernelSide = 4;

// maps [N,C,2S,2S], any layout -> [N*S*S,16*C]: every window, row by row, channels last; 0 outside the map
torch::Tensor gather_columns(const torch::Tensor& maps);

// [N*S*S,16*C] -> [N,C,side,side] in channels_last: every place the sum of what the windows hold of it
torch::Tensor scatter_columns(const torch::Tensor& columns, int64_t channels, int64_t side);

}  // namespace nowhere
