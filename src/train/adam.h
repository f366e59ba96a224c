// AdamW over all parameters of a network in one fused operator, on every device that has it. LibTorch's C++ optimizers
// step tensor by tensor.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace nowhere {

struct AdamConfig {
  double lr = 2e-4;
  double beta1 = 0.5;
  double beta2 = 0.999;
  double weight_decay = 0.05;  // decoupled; 0 is plain Adam
  double epsilon = 1e-8;
};

class Adam {
 public:
  // Keeps the parameters, which are updated in place.
  Adam(std::vector<torch::Tensor> parameters, AdamConfig config);

  void zero_grad();  // forgets the gradients: the next backward writes instead of adding
  void step();       // parameters without a gradient are left alone

  AdamConfig& config() { return config_; }

 private:
  AdamConfig config_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> first_moments_, second_moments_;  // like the parameters
  std::vector<torch::Tensor> steps_;                           // one float each, as the operator wants
};

}  // namespace nowhere
