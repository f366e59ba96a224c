// Differentiable augmentation: D sees reals and fakes changed in the same random ways, so that a small data
// set is harder to learn by heart, and the gradient flows through to G.
#pragma once

#include <torch/torch.h>

#include "model/choices.h"

namespace nowhere {

struct DiffAugmentConfig {
  double colour = 0;         // strength; at 1 brightness +-0.5, saturation x0..2, contrast x0.5..1.5
  bool translation = false;  // by up to an eighth of the side, zeros move in
  Kernels kernels = Kernels::kAuto;

  bool any() const { return colour > 0 || translation; }
};

// pictures [N,nc,S,S] in [-1,1] -> the same shape, every picture changed by draws of its own, which do not
// depend on the kernels. Then `noise`, if it is defined, is added; it may be overwritten.
torch::Tensor diff_augment(const torch::Tensor& pictures, const DiffAugmentConfig& config,
                           at::Generator generator, const torch::Tensor& noise = {});

}  // namespace nowhere
