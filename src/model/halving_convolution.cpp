#include "model/halving_convolution.h"

#include <ATen/autocast_mode.h>

#include "kernels/bf16_halving.h"
#include "model/bf16_matrices.h"
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

// A pass in float32 and the same with factors in bf16.
using Pass = void (*)(const HalvingShape&, const float*, const float*, float*, const Workers&);
using Bf16Pass = void (*)(const HalvingShape&, const float*, const float*, float*, const Bf16Product&,
                          const Workers&);

void run_pass(Pass pass, Bf16Pass bf16_pass, bool bf16, const HalvingShape& shape, const torch::Tensor& first,
              const torch::Tensor& second, torch::Tensor& result) {
  const torch::Tensor from = first.contiguous(kLayout), by = second.contiguous(kLayout);
  const auto *a = from.const_data_ptr<float>(), *b = by.const_data_ptr<float>();
  auto* to = result.mutable_data_ptr<float>();
  if (bf16)
    bf16_pass(shape, a, b, to, torch_bf16_product(), torch_workers());
  else
    pass(shape, a, b, to, torch_workers());
}

// Derivatives are as precise as the function.
void keep_factors(AutogradContext* context, bool bf16) {
  context->saved_data["bf16"] = bf16;
}

bool kept_factors(AutogradContext* context) {
  return context->saved_data["bf16"].toBool();
}

// The three functions, each of which has the other two as its derivatives.

struct Halve : torch::autograd::Function<Halve> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& large,
                               const torch::Tensor& weight, bool bf16);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

// `sizes`: of the large maps, which may be odd.
struct Double : torch::autograd::Function<Double> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& small,
                               const torch::Tensor& weight, const std::vector<int64_t>& sizes, bool bf16);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

// The gradient to the weight, [K,C,4,4].
struct Weigh : torch::autograd::Function<Weigh> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& large,
                               const torch::Tensor& small, bool bf16);
  static variable_list backward(AutogradContext* context, const variable_list& gradients);
};

torch::Tensor Halve::forward(AutogradContext* context, const torch::Tensor& large,
                             const torch::Tensor& weight, bool bf16) {
  context->save_for_backward({large, weight});
  keep_factors(context, bf16);
  const HalvingShape shape = shape_of(large.sizes(), weight);
  torch::Tensor small =
      new_tensor({shape.pictures, shape.kernels, shape.small_height(), shape.small_width()}, large);
  run_pass(halve, bf16_halve, bf16, shape, large, weight, small);
  return small;
}

variable_list Halve::backward(AutogradContext* context, const variable_list& gradients) {
  const variable_list saved = context->get_saved_variables();
  const torch::Tensor &large = saved[0], &weight = saved[1], &small = gradients[0];
  const bool bf16 = kept_factors(context);
  variable_list made(3);
  if (context->needs_input_grad(0)) made[0] = Double::apply(small, weight, large.sizes().vec(), bf16);
  if (context->needs_input_grad(1)) made[1] = Weigh::apply(large, small, bf16);
  return made;
}

torch::Tensor Double::forward(AutogradContext* context, const torch::Tensor& small,
                              const torch::Tensor& weight, const std::vector<int64_t>& sizes, bool bf16) {
  context->save_for_backward({small, weight});
  keep_factors(context, bf16);
  torch::Tensor large = new_tensor(sizes, small);
  run_pass(double_up, bf16_double, bf16, shape_of(sizes, weight), small, weight, large);
  return large;
}

variable_list Double::backward(AutogradContext* context, const variable_list& gradients) {
  const variable_list saved = context->get_saved_variables();
  const torch::Tensor &small = saved[0], &weight = saved[1], &large = gradients[0];
  const bool bf16 = kept_factors(context);
  variable_list made(4);
  if (context->needs_input_grad(0)) made[0] = Halve::apply(large, weight, bf16);
  if (context->needs_input_grad(1)) made[1] = Weigh::apply(large, small, bf16);
  return made;
}

torch::Tensor Weigh::forward(AutogradContext* context, const torch::Tensor& large, const torch::Tensor& small,
                             bool bf16) {
  context->save_for_backward({large, small});
  keep_factors(context, bf16);
  torch::Tensor weight = new_tensor({small.size(1), large.size(1), 4, 4}, large);
  run_pass(weigh, bf16_weigh, bf16, shape_of(large.sizes(), weight), large, small, weight);
  return weight;
}

variable_list Weigh::backward(AutogradContext* context, const variable_list& gradients) {
  const variable_list saved = context->get_saved_variables();
  const torch::Tensor &large = saved[0], &small = saved[1], &weight = gradients[0];
  const bool bf16 = kept_factors(context);
  variable_list made(3);
  if (context->needs_input_grad(0)) made[0] = Double::apply(small, weight, large.sizes().vec(), bf16);
  if (context->needs_input_grad(1)) made[1] = Halve::apply(large, weight, bf16);
  return made;
}

bool is_float32(const torch::Tensor& tensor) {
  return tensor.device().is_cpu() && tensor.scalar_type() == torch::kFloat;
}

HalvingKernel float32_kernel(const torch::Tensor& maps, torch::IntArrayRef large,
                             const torch::Tensor& weight) {
  const bool taken =
      is_float32(maps) && is_float32(weight) && maps.numel() > 0 && large[2] >= 2 && large[3] >= 2;
  return taken ? halving_kernel(shape_of(large, weight)) : HalvingKernel::kNone;
}

// Maps may be bf16 already.
HalvingKernel bf16_kernel(const torch::Tensor& maps, torch::IntArrayRef large, const torch::Tensor& weight) {
  const bool taken = maps.device().is_cpu() && maps.numel() > 0 && is_float32(weight) && large[2] >= 2 &&
                     large[3] >= 2 && has_bf16_products();
  return taken ? bf16_halving_kernel(shape_of(large, weight)) : HalvingKernel::kNone;
}

// Autocast asks for products in bf16. On matrix units ours are faster than LibTorch's convolutions; without
// them, LibTorch's are.
HalvingKernel autocast_kernel(const torch::Tensor& maps, torch::IntArrayRef large,
                              const torch::Tensor& weight) {
  const bool ours = at::autocast::get_autocast_dtype(torch::kCPU) == torch::kBFloat16 && has_matrix_units();
  return ours ? bf16_kernel(maps, large, weight) : HalvingKernel::kNone;
}

HalvingKernel kernel_for(const torch::Tensor& maps, torch::IntArrayRef large, const torch::Tensor& weight) {
  const bool autocast = at::autocast::is_autocast_enabled(torch::kCPU);
  return (autocast ? autocast_kernel : float32_kernel)(maps, large, weight);
}

bool is_bf16(Factors factors) {
  return factors == Factors::kBf16;
}

Factors factors_of(HalvingKernel kernel) {
  return kernel == HalvingKernel::kBf16 ? Factors::kBf16 : Factors::kFloat32;
}

}  // namespace

torch::Tensor halve_maps(const torch::Tensor& maps, const torch::Tensor& weight, Factors factors) {
  return Halve::apply(maps, weight, is_bf16(factors));
}

torch::Tensor double_maps(const torch::Tensor& maps, const torch::Tensor& weight, Factors factors) {
  return Double::apply(maps, weight, doubled(maps, weight.size(1)), is_bf16(factors));
}

torch::Tensor gradient_to_weights(const torch::Tensor& large, const torch::Tensor& small, Factors factors) {
  return Weigh::apply(large, small, is_bf16(factors));
}

torch::Tensor halve_maps_by(HalvingKernel kernel, const torch::Tensor& maps, const torch::Tensor& weight) {
  return halve_maps(maps.to(torch::kFloat), weight, factors_of(kernel));
}

torch::Tensor double_maps_by(HalvingKernel kernel, const torch::Tensor& maps, const torch::Tensor& weight) {
  return double_maps(maps.to(torch::kFloat), weight, factors_of(kernel));
}

HalvingKernel kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight) {
  return kernel_for(maps, maps.sizes(), weight);
}

HalvingKernel kernel_to_double(const torch::Tensor& maps, const torch::Tensor& weight) {
  return kernel_for(maps, doubled(maps, weight.size(1)), weight);
}

HalvingKernel float32_kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight) {
  return float32_kernel(maps, maps.sizes(), weight);
}

HalvingKernel bf16_kernel_to_halve(const torch::Tensor& maps, const torch::Tensor& weight) {
  return bf16_kernel(maps, maps.sizes(), weight);
}

}  // namespace nowhere
