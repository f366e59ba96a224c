#include "train/adam.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_fused_adamw.h>

namespace nowhere {

Adam::Adam(std::vector<torch::Tensor> parameters, AdamConfig config)
    : config_(config), parameters_(std::move(parameters)) {
  for (const torch::Tensor& parameter : parameters_)
    moments_.push_back(
        {torch::zeros({}, parameter.options()), torch::zeros_like(parameter), torch::zeros_like(parameter)});
}

void Adam::zero_grad() {
  for (torch::Tensor& parameter : parameters_) parameter.mutable_grad() = torch::Tensor();
}

std::vector<torch::Tensor> Adam::gradients() const {
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : parameters_)
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  return gradients;
}

void Adam::step(const torch::Tensor& found_infinite) {
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> parameters, gradients, first, second, steps;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].grad().defined()) continue;
    parameters.push_back(parameters_[i]);
    gradients.push_back(parameters_[i].grad());
    first.push_back(moments_[i].first);
    second.push_back(moments_[i].second);
    steps.push_back(moments_[i].step);
  }
  if (parameters.empty()) return;
  at::_foreach_add_(steps, 1);
  std::optional<torch::Tensor> skip;
  if (found_infinite.defined()) skip = found_infinite;
  at::_fused_adamw_(parameters, gradients, first, second, /*max_exp_avg_sqs=*/{}, steps, config_.lr,
                    config_.beta1, config_.beta2, config_.weight_decay, config_.epsilon, /*amsgrad=*/false,
                    /*maximize=*/false, /*grad_scale=*/{}, skip);
  if (skip) at::_foreach_sub_(steps, std::vector<torch::Tensor>(steps.size(), *skip));
}

}  // namespace nowhere
