// Convolutions whose weights are divided by their largest singular value, so that none of them can make more
// of a difference than there is (Miyato et al. 2018).
#pragma once

#include <torch/torch.h>

#include <optional>

#include "model/description.h"
#include "model/layer_steps.h"

namespace nowhere {

// The tensors are named as PyTorch's spectral_norm names them. Where the weight is being trained, every pass
// brings the estimate of the singular vectors one iteration further. With a `slope`, the step does the leaky
// ReLU that follows too.
LayerStep spectral_norm_step(const Convolution& shape, int64_t input_channels, Kernels kernels,
                             std::optional<double> slope);

}  // namespace nowhere
