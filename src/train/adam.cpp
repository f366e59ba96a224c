#include "train/adam.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_fused_adamw.h>

namespace nowhere {

namespace {

// The numbers of a tensor in the order of memory, in which the fused operator would copy those of
// channels_last.
torch::Tensor in_order_of_memory(const torch::Tensor& tensor) {
  return tensor.as_strided({tensor.numel()}, {1});
}

// The gradient in the order of its parameter.
torch::Tensor like_parameter(const torch::Tensor& gradient, const torch::Tensor& parameter) {
  return gradient.strides() == parameter.strides() ? gradient : torch::empty_like(parameter).copy_(gradient);
}

}  // namespace

AdamKernel adam_kernel(const torch::Device& device) {
  const auto fused = c10::Dispatcher::singleton().findSchema({"aten::_fused_adamw_", ""});
  const auto key = c10::computeDispatchKey(torch::kFloat, torch::kStrided, device);
  return fused && fused->hasKernelForDispatchKey(key) ? AdamKernel::kFused : AdamKernel::kUnfused;
}

Adam::Adam(std::vector<torch::Tensor> parameters, AdamConfig config, std::optional<AdamKernel> kernel)
    : config_(config),
      kernel_(kernel               ? *kernel
              : parameters.empty() ? AdamKernel::kUnfused
                                   : adam_kernel(parameters.front().device())),
      parameters_(std::move(parameters)) {
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
    if (kernel_ == AdamKernel::kUnfused) {
      step_one(parameters_[i], moments_[i], found_infinite);
      continue;
    }
    const auto add = [dense = parameters_[i].is_non_overlapping_and_dense()](auto& list, const auto& tensor) {
      list.push_back(dense ? in_order_of_memory(tensor) : tensor);
    };
    add(parameters, parameters_[i]);
    add(gradients, like_parameter(parameters_[i].grad(), parameters_[i]));
    add(first, moments_[i].first);
    add(second, moments_[i].second);
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

// Nothing is read off the device, and what changes from step to step is a tensor: a lazy device would take a
// number for a part of its graph, and compile it anew.
void Adam::step_one(const torch::Tensor& parameter, const AdamMoments& moments,
                    const torch::Tensor& found_infinite) {
  const torch::Tensor gradient = parameter.grad();
  const torch::Tensor rate =
      torch::full({}, config_.lr, torch::TensorOptions(parameter.scalar_type())).to(parameter.device());
  const torch::Tensor step = moments.step + 1;
  const torch::Tensor first = moments.first.lerp(gradient, 1 - config_.beta1);
  const torch::Tensor second =
      (moments.second * config_.beta2).addcmul_(gradient, gradient, 1 - config_.beta2);
  // What the moments lack because they began with zeros.
  const torch::Tensor first_share = 1 - torch::pow(config_.beta1, step);
  const torch::Tensor second_share = 1 - torch::pow(config_.beta2, step);
  const torch::Tensor divisor = (second / second_share).sqrt_().add_(config_.epsilon);
  const torch::Tensor updated =
      parameter * (1 - rate * config_.weight_decay) - rate * (first / first_share / divisor);

  const auto assign = [&](const torch::Tensor& target, const torch::Tensor& value) {
    target.copy_(found_infinite.defined() ? torch::where(found_infinite > 0, target, value) : value);
  };
  assign(moments.step, step);
  assign(moments.first, first);
  assign(moments.second, second);
  assign(parameter, updated);
}

}  // namespace nowhere
