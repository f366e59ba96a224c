#include "model/fused_norm.h"

#include "kernels/normalisation.h"
#include "model/workers.h"

namespace nowhere {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kDense = torch::MemoryFormat::ChannelsLast;

RowsShape rows_shape(const torch::Tensor& maps) {
  return {.rows = maps.numel() / maps.size(1), .channels = maps.size(1)};
}

std::span<float> span_of(torch::Tensor& numbers) {
  return {numbers.mutable_data_ptr<float>(), static_cast<size_t>(numbers.numel())};
}

std::span<const float> read_span_of(const torch::Tensor& numbers) {
  return {numbers.const_data_ptr<float>(), static_cast<size_t>(numbers.numel())};
}

Normalisation normalisation(const torch::Tensor& mean, const torch::Tensor& scale, const torch::Tensor& bias,
                            double slope) {
  return {read_span_of(mean), read_span_of(scale), read_span_of(bias), static_cast<float>(slope)};
}

struct NormAndActivate : torch::autograd::Function<NormAndActivate> {
  // `mean` and `variance` [C]: of the maps, which `weight` and `bias` [C] follow.
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& maps,
                               const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& mean, const torch::Tensor& variance, double epsilon,
                               double slope) {
    const torch::Tensor from = maps.contiguous(kDense), inverse = (variance + epsilon).rsqrt();
    const torch::Tensor scale = weight * inverse;
    torch::Tensor result = torch::empty_like(from);
    normalise_rows(rows_shape(from), from.const_data_ptr<float>(), normalisation(mean, scale, bias, slope),
                   result.mutable_data_ptr<float>(), torch_workers());
    context->save_for_backward({from, weight, bias, mean, inverse});
    context->saved_data["epsilon"] = epsilon;
    context->saved_data["slope"] = slope;
    return result;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor &maps = saved[0], &weight = saved[1], &bias = saved[2], &mean = saved[3],
                        &inverse = saved[4];
    const double slope = context->saved_data["slope"].toDouble();
    variable_list made(7);
    if (at::GradMode::is_enabled()) {
      std::tie(made[0], made[1], made[2]) =
          derivable_gradients(saved, gradients[0], context->saved_data["epsilon"].toDouble(), slope);
      return made;
    }
    const torch::Tensor gradient = gradients[0].contiguous(kDense), scale = weight * inverse;
    const Normalisation by = normalisation(mean, scale, bias, slope);
    const RowsShape shape = rows_shape(maps);
    torch::Tensor sum = torch::empty_like(mean), products = torch::empty_like(mean);
    sum_gradients(shape, maps.const_data_ptr<float>(), gradient.const_data_ptr<float>(), by, span_of(sum),
                  span_of(products), torch_workers());
    if (context->needs_input_grad(0)) {
      const double share = 1.0 / static_cast<double>(shape.rows);
      const torch::Tensor slant = scale * inverse.square() * products * -share, shift = scale * sum * -share;
      made[0] = torch::empty_like(maps);
      gradient_to_rows(shape, maps.const_data_ptr<float>(), gradient.const_data_ptr<float>(), by,
                       read_span_of(slant), read_span_of(shift), made[0].mutable_data_ptr<float>(),
                       torch_workers());
    }
    if (context->needs_input_grad(1)) made[1] = products * inverse;
    if (context->needs_input_grad(2)) made[2] = sum;
    return made;
  }

 private:
  // LibTorch's own, which can be derived themselves.
  static std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> derivable_gradients(
      const variable_list& saved, const torch::Tensor& gradient, double epsilon, double slope) {
    const torch::Tensor &maps = saved[0], &weight = saved[1], &bias = saved[2], &mean = saved[3],
                        &inverse = saved[4];
    const auto on_channels = [](const torch::Tensor& numbers) {
      return numbers.detach().view({1, -1, 1, 1});
    };
    const torch::Tensor value =
        (maps.detach() - on_channels(mean)) * on_channels(weight * inverse) + on_channels(bias);
    const torch::Tensor before = torch::where(value < 0, gradient * slope, gradient);
    return torch::native_batch_norm_backward(before, maps, weight, std::nullopt, std::nullopt, mean, inverse,
                                             /*train=*/true, epsilon, {true, true, true});
  }
};

}  // namespace

bool can_fuse_norm(const JointBatchNorm& norm, const torch::Tensor& maps) {
  return norm->is_training() && !norm->is_joint() && maps.device().is_cpu() &&
         maps.scalar_type() == torch::kFloat && maps.numel() > maps.size(1);
}

torch::Tensor norm_and_activate(JointBatchNorm& norm, const torch::Tensor& maps, double slope) {
  const torch::Tensor dense = maps.contiguous(kDense);
  torch::Tensor mean = torch::empty({maps.size(1)}, maps.options()), variance = torch::empty_like(mean);
  const RowsShape shape = rows_shape(maps);
  {
    const torch::NoGradGuard no_gradients;
    measure_rows(shape, dense.const_data_ptr<float>(), span_of(mean), span_of(variance), torch_workers());
    norm->num_batches_tracked += 1;
    // Without a momentum, the mean over all batches.
    const double momentum = norm->options.momentum().value_or(1 / norm->num_batches_tracked.item<double>()),
                 rows = static_cast<double>(shape.rows);
    norm->running_mean.lerp_(mean, momentum);
    norm->running_var.lerp_(variance * (rows / (rows - 1)), momentum);
  }
  return NormAndActivate::apply(dense, norm->weight, norm->bias, mean, variance, norm->options.eps(), slope);
}

}  // namespace nowhere
