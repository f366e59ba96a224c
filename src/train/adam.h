// AdamW over all parameters of a network in one fused operator, on every device that has it; elsewhere in
// plain ones. LibTorch's C++ optimizers step tensor by tensor everywhere.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <vector>

namespace nowhere {

struct AdamConfig {
  double lr = 2e-4;
  double beta1 = 0.5;
  double beta2 = 0.999;
  double weight_decay = 0.05;  // decoupled; 0 is plain Adam
  double epsilon = 1e-8;
};

enum class AdamKernel { kFused, kUnfused };

// Fused where LibTorch has the operator for this device itself: a device may pretend to have all operators,
// and send those it lacks to the CPU.
AdamKernel adam_kernel(const torch::Device& device);

// One parameter's memory.
struct AdamMoments {
  torch::Tensor step;           // one float, as the operator wants
  torch::Tensor first, second;  // like the parameter
};

class Adam {
 public:
  // Keeps the parameters, which are updated in place. Without a kernel, that of their device.
  Adam(std::vector<torch::Tensor> parameters, AdamConfig config, std::optional<AdamKernel> kernel = {});

  void zero_grad();  // forgets the gradients: the next backward writes instead of adding

  // Parameters without a gradient are left alone. All are left alone where `found_infinite` is 1 (see
  // LossScaler).
  void step(const torch::Tensor& found_infinite = {});

  std::vector<torch::Tensor> gradients() const;  // of those that have one
  const std::vector<torch::Tensor>& parameters() const { return parameters_; }
  AdamConfig& config() { return config_; }
  const AdamConfig& config() const { return config_; }
  // In the order of the parameters; to be saved and loaded with the run.
  std::vector<AdamMoments>& moments() { return moments_; }
  const std::vector<AdamMoments>& moments() const { return moments_; }

 private:
  void step_one(const torch::Tensor& parameter, const AdamMoments& moments,
                const torch::Tensor& found_infinite);

  AdamConfig config_;
  AdamKernel kernel_;
  std::vector<torch::Tensor> parameters_;
  std::vector<AdamMoments> moments_;
};

}  // namespace nowhere
