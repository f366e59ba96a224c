// Keeps small fp16 gradients from vanishing: the loss is multiplied before the backward pass, the gradients
// divided after it. One for each network. Nothing is read off the device.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace nowhere {

struct LossScalerConfig {
  double first_scale = 65536;
  double growth = 2;
  double back_off = 0.5;
  int64_t growth_interval = 2000;  // good steps in a row before the scale grows
};

class LossScaler {
 public:
  // When not enabled, every call passes through.
  LossScaler(const torch::Device& device, bool enabled, LossScalerConfig config = {});

  torch::Tensor scale(const torch::Tensor& loss) const;

  // Divides the gradients in place. Gives 1 when one of them was not finite, and then the step is to be
  // skipped; an undefined tensor when not enabled.
  torch::Tensor unscale(const std::vector<torch::Tensor>& gradients);

  // After the step: backs off when it was skipped, grows after enough good ones.
  void update(const torch::Tensor& found_infinite);

  bool enabled() const { return enabled_; }
  // To be saved and loaded with the run: one float, one int32.
  torch::Tensor& current() { return scale_; }
  torch::Tensor& good_steps() { return good_steps_; }

 private:
  bool enabled_;
  LossScalerConfig config_;
  torch::Tensor scale_, good_steps_;
};

}  // namespace nowhere
