#include "train/adam.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adamw.h>

namespace nowhere {

Adam::Adam(std::vector<torch::Tensor> parameters, AdamConfig config)
    : config_(config), parameters_(std::move(parameters)) {
  for (const torch::Tensor& parameter : parameters_) {
    first_moments_.push_back(torch::zeros_like(parameter));
    second_moments_.push_back(torch::zeros_like(parameter));
    steps_.push_back(torch::zeros({}, parameter.options()));
  }
}

void Adam::zero_grad() {
  for (torch::Tensor& parameter : parameters_) parameter.mutable_grad() = torch::Tensor();
}

void Adam::step() {
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> parameters, gradients, first, second, steps;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].grad().defined()) continue;
    parameters.push_back(parameters_[i]);
    gradients.push_back(parameters_[i].grad());
    first.push_back(first_moments_[i]);
    second.push_back(second_moments_[i]);
    steps.push_back(steps_[i]);
  }
  if (parameters.empty()) return;
  at::_foreach_add_(steps, 1);
  at::_fused_adamw_(parameters, gradients, first, second, /*max_exp_avg_sqs=*/{}, steps, config_.lr,
                    config_.beta1, config_.beta2, config_.weight_decay, config_.epsilon, /*amsgrad=*/false,
                    /*maximize=*/false);
}

}  // namespace nowhere
