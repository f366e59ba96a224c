#include "device/loss_scaler.h"

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>

namespace nowhere {

LossScaler::LossScaler(const torch::Device& device, bool enabled, LossScalerConfig config)
    : enabled_(enabled), config_(config) {
  scale_ =
      torch::full({}, enabled ? config.first_scale : 1.0, torch::TensorOptions(device).dtype(torch::kFloat));
  good_steps_ = torch::zeros({}, torch::TensorOptions(device).dtype(torch::kInt));
}

torch::Tensor LossScaler::scale(const torch::Tensor& loss) const {
  return enabled_ ? loss * scale_ : loss;
}

torch::Tensor LossScaler::unscale(const std::vector<torch::Tensor>& gradients) {
  if (!enabled_) return {};
  torch::Tensor found_infinite = torch::zeros({}, scale_.options());
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_infinite,
                                                 scale_.to(torch::kDouble).reciprocal().to(torch::kFloat));
  return found_infinite;
}

void LossScaler::update(const torch::Tensor& found_infinite) {
  if (enabled_)
    at::_amp_update_scale_(scale_, good_steps_, found_infinite, config_.growth, config_.back_off,
                           config_.growth_interval);
}

}  // namespace nowhere
