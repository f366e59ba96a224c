// Batch norm in training together with the ReLU or leaky ReLU behind it, on kernels of our own for the CPU:
// on maps these are passes over memory, and together they are fewer.
#pragma once

#include <torch/torch.h>

#include "model/batch_norm.h"

namespace nowhere {

// Whether it applies: float32 on the CPU, statistics of this batch alone.
bool can_fuse_norm(const JointBatchNorm& norm, const torch::Tensor& maps);

// maps [N,C,H,W] -> the same in channels_last: the norm, and slope times what is below 0. Updates the norm's
// running statistics. Can be derived twice.
torch::Tensor norm_and_activate(JointBatchNorm& norm, const torch::Tensor& maps, double slope);

}  // namespace nowhere
