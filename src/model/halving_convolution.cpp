#include "model/halving_convolution.h"

#include <ATen/autocast_mode.h>

#include "model/workers.h"

namespace nowhere {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kLayout = torch::MemoryFormat::ChannelsLast;

// Of large maps [N,C,H,W] and a weight [K,C,4,4].
HalvingShape shape_of(torch::IntArrayRef large, const torch::Tensor& weight) {
  return {.pictures = large[0],
          .height = large[2],
          .width = large[3],
          .channels = large[1],
          .kernels = weight.size(0)};
}

std::vector<int64_t> doubled(const torch::Tensor& small, int64_t channels) {
  return {small.size(0), channels, 2 * small.size(2), 2 * small.size(3)};
}

torch::Tensor new_tensor(torch::IntArrayRef sizes, const torch::Tensor& like) {
  return torch::empty(sizes, like.options().memory_format(kLayout));
}

// The three functions, each of which has the other two as its derivatives.

struct Halve : torch::autograd::Function<Halve> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& large,
                               const torch::Tensor& weight);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

// `sizes`: of the large maps, which may be odd.
struct Double : torch::autograd::Function<Double> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& small,
                               const torch::Tensor& weight, const std::vector<int64_t>& sizes);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

// The gradient to the weight, [K,C,4,4].
struct Weigh : torch::autograd::Function<Weigh> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& large,
                               const torch::Tensor& small);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

torch::Tensor Halve::forward(AutogradContext* context, const torch::Tensor& large,
                             const torch::Tensor& weight) {
  context->save_for_backward({large, weight});
  const HalvingShape shape = shape_of(large.sizes(), weight);
  const torch::Tensor from = large.contiguous(kLayout), factors = weight.contiguous(kLayout);
  torch::Tensor small =
      new_tensor({shape.pictures, shape.kernels, shape.small_height(), shape.small_width()}, large);
  halve(shape, from.const_data_ptr<float>(), factors.const_data_ptr<float>(), small.mutable_data_ptr<float>(),
        torch_workers());
  return small;
}

variable_list Halve::backward(AutogradContext* context, const variable_list& gradients) {
  const variable_list saved = context->get_saved_variables();
  const torch::Tensor &large = saved[0], &weight = saved[1], &small = gradients[0];
  variable_list made(2);
  if (context->needs_input_grad(0)) made[0] = Double::apply(small, weight, large.sizes().vec());
  if (context->needs_input_grad(1)) made[1] = Weigh::apply(large, small);
  return made;
}

torch::Tensor Double::forward(AutogradContext* context, const torch::Tensor& small,
                              const torch::Tensor& weight, const std::vector<int64_t>& sizes) {
  context->save_for_backward({small, weight});
  const torch::Tensor from = small.contiguous(kLayout), factors = weight.contiguous(kLayout);
  torch::Tensor large = new_tensor(sizes, small);
  double_up(shape_of(sizes, weight), from.const_data_ptr<float>(), factors.const_data_ptr<float>(),
            large.mutable_data_ptr<float>(), torch_workers());
  return large;
}

variable_list Double::backward(AutogradContext* context, const variable_list& gradients) {
  const variable_list saved = context->get_saved_variables();
  const torch::Tensor &small = saved[0], &weight = saved[1], &large = gradients[0];
  variable_list made(3);
  if (context->needs_input_grad(0)) made[0] = Halve::apply(large, weight);
  if (context->needs_input_grad(1)) made[1] = Weigh::apply(large, small);
  return made;
}

torch::Tensor Weigh::forward(AutogradContext* context, const torch::Tensor& large,
                             const torch::Tensor& small) {
  context->save_for_backward({large, small});
  const torch::Tensor from_large = large.contiguous(kLayout), from_small = small.contiguous(kLayout);
  torch::Tensor weight = new_tensor({small.size(1), large.size(1), 4, 4}, large);
  weigh(shape_of(large.sizes(), weight), from_large.const_data_ptr<float>(),
        from_small.const_data_ptr<float>(), weight.mutable_data_ptr<float>(), torch_workers());
  return weight;
}

variable_list Weigh::backward(AutogradContext* context, const variable_list& gradients) {
  const variable_list saved = context->get_saved_variables();
  const torch::Tensor &large = saved[0], &small = saved[1], &weight = gradients[0];
  variable_list made(2);
  if (context->needs_input_grad(0)) made[0] = Double::apply(small, weight, large.sizes().vec());
  if (context->needs_input_grad(1)) made[1] = Halve::apply(large, weight);
  return made;
}

HalvingKernel kernel_for(const torch::Tensor& maps, torch::IntArrayRef large, const torch::Tensor& weight) {
  const bool plain = maps.device().is_cpu() && maps.scalar_type() == torch::kFloat &&
                     weight.scalar_type() == torch::kFloat && maps.numel() > 0 &&
                     !at::autocast::is_autocast_enabled(torch::kCPU);
  return plain && large[2] >= 2 && large[3] >= 2 ? halving_kernel(shape_of(large, weight))
                                                 : HalvingKernel::kNone;
}

}  // namespace

torch::Tensor halve_maps(const torch::Tensor& maps, const torch::Tensor& weight) {
  return Halve::apply(maps, weight);
}

torch::Tensor double_maps(const torch::Tensor& maps, const torch::Tensor& weight) {
  return Double::apply(maps, weight, doubled(maps, weight.size(1)));
}

torch::Tensor gradient_to_weights(const torch::Tensor& large, const torch::Tensor& small) {
  return Weigh::apply(large, small);
}

HalvingKernel kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight) {
  return kernel_for(maps, maps.sizes(), weight);
}

HalvingKernel kernel_to_double(const torch::Tensor& maps, const torch::Tensor& weight) {
  return kernel_for(maps, doubled(maps, weight.size(1)), weight);
}

}  // namespace nowhere
