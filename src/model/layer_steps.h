// What LibTorch does for each kind of layer.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <span>

#include "model/choices.h"
#include "model/description.h"

namespace nowhere {

struct LayerStep {
  // The outputs of the layer's inputs, [N,C,H,W] each -> its own
  std::function<torch::Tensor(std::span<const torch::Tensor> inputs)> run;
  std::shared_ptr<torch::nn::Module> module = {};  // that holds its tensors; none for a layer without
};

// Throws Error, naming the layer, when there is no such step.
LayerStep make_layer_step(const NetworkDescription& network, size_t layer, Kernels kernels);

}  // namespace nowhere
