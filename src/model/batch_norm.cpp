#include "model/batch_norm.h"

namespace nowhere {

torch::Tensor JointBatchNormImpl::forward(const torch::Tensor& maps) {
  if (!sum_ || !is_training()) return BatchNorm2dImpl::forward(maps);
  const torch::Tensor values = maps.to(torch::kFloat);  // autocast may have made them shorter
  const torch::Tensor own =
      torch::full({1}, static_cast<double>(values.numel() / values.size(1)), values.options());
  const torch::Tensor first = sum_(torch::cat({values.sum({0, 2, 3}), own}));  // [C + 1]
  const torch::Tensor count = first.slice(0, -1).detach();
  const torch::Tensor mean = first.slice(0, 0, -1) / count;
  const torch::Tensor centred = values - mean.view({1, -1, 1, 1});
  // Deviations from the common mean, because a difference of large sums would lose digits.
  const torch::Tensor variance = sum_(centred.square().sum({0, 2, 3})) / count;
  {
    const torch::NoGradGuard no_gradients;
    const double momentum = options.momentum().value();
    running_mean.lerp_(mean, momentum);
    running_var.lerp_(variance * count / (count - 1), momentum);
    num_batches_tracked += 1;
  }
  const torch::Tensor scale = weight * (variance + options.eps()).rsqrt();
  return (centred * scale.view({1, -1, 1, 1}) + bias.view({1, -1, 1, 1})).to(maps.scalar_type());
}

void sum_batch_statistics(torch::nn::Module& network, const SumOverProcesses& sum) {
  for (const auto& module : network.modules())
    if (auto* norm = module->as<JointBatchNormImpl>()) norm->sum_over(sum);
}

}  // namespace nowhere
