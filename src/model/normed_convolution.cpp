#include "model/normed_convolution.h"

#include "core/error.h"
#include "kernels/normalisation.h"
#include "kernels/patches.h"
#include "model/halving_convolution.h"
#include "model/workers.h"

namespace nowhere {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kLayout = torch::MemoryFormat::ChannelsLast;

PatchShape patch_shape(torch::IntArrayRef maps, int64_t side) {
  return {.pictures = maps[0], .height = maps[2], .width = maps[3], .channels = maps[1], .side = side};
}

// [N,C,H,W] <-> [N*H*W,C]; both share memory.
torch::Tensor rows_of(const torch::Tensor& maps) {
  return maps.permute({0, 2, 3, 1}).view({-1, maps.size(1)});
}
torch::Tensor maps_of(const torch::Tensor& rows, torch::IntArrayRef sizes) {
  return rows.view({sizes[0], sizes[2], sizes[3], rows.size(1)}).permute({0, 3, 1, 2});
}

// maps [N,C,H,W] in channels_last -> [N*H*W, side*side*C]
torch::Tensor patches_of(const torch::Tensor& maps, int64_t side) {
  if (side == 1) return rows_of(maps);
  const PatchShape shape = patch_shape(maps.sizes(), side);
  torch::Tensor rows = torch::empty({shape.rows(), shape.columns()}, maps.options());
  gather_patches(shape, maps.const_data_ptr<float>(), rows.mutable_data_ptr<float>(), torch_workers());
  return rows;
}

// Its transpose, to maps of these sizes.
torch::Tensor maps_of_patches(const torch::Tensor& rows, torch::IntArrayRef sizes, int64_t side) {
  if (side == 1) return maps_of(rows, sizes);
  torch::Tensor maps = torch::empty(sizes, rows.options().memory_format(kLayout));
  sum_patches(patch_shape(sizes, side), rows.const_data_ptr<float>(), maps.mutable_data_ptr<float>(),
              torch_workers());
  return maps;
}

torch::Tensor convolve(const torch::Tensor& maps, const torch::Tensor& weight, int64_t stride) {
  if (stride == 2) return halve_maps(maps, weight);
  return maps_of(patches_of(maps, weight.size(2)).mm(weight_matrix(weight).t()), maps.sizes());
}

torch::Tensor gradient_to_maps(const torch::Tensor& gradient, const torch::Tensor& weight,
                               torch::IntArrayRef sizes, int64_t stride) {
  if (stride == 2) return double_maps(gradient, weight);
  return maps_of_patches(rows_of(gradient).mm(weight_matrix(weight)), sizes, weight.size(2));
}

// As a matrix [K, side*side*C].
torch::Tensor gradient_to_weight(const torch::Tensor& maps, const torch::Tensor& gradient, int64_t side,
                                 int64_t stride) {
  if (stride == 2) return weight_matrix(gradient_to_weights(maps, gradient));
  return rows_of(gradient).t().mm(patches_of(maps, side));
}

// What follows the convolution, on rows: the division by the singular value, bias and activation.
class NormedFinish {
 public:
  NormedFinish(const torch::Tensor& maps, double value, double slope)
      : shape_{maps.numel() / maps.size(1), maps.size(1)},
        slope_(static_cast<float>(slope)),
        zeros_(static_cast<size_t>(shape_.channels), 0.0f),
        scale_(zeros_.size(), static_cast<float>(1 / value)) {}

  void apply(torch::Tensor& maps, const torch::Tensor& bias) const {
    normalise_rows(shape_, maps.const_data_ptr<float>(),
                   {zeros_, scale_, {bias.const_data_ptr<float>(), zeros_.size()}, slope_},
                   maps.mutable_data_ptr<float>(), torch_workers());
  }

  // The activation keeps signs, so that what came out of it says where the gradient is multiplied by the
  // slope.
  torch::Tensor gradient_before(const torch::Tensor& result, const torch::Tensor& gradient) const {
    torch::Tensor before = torch::empty_like(gradient);
    gradient_to_rows(shape_, result.const_data_ptr<float>(), gradient.const_data_ptr<float>(),
                     {zeros_, scale_, zeros_, slope_}, zeros_, zeros_, before.mutable_data_ptr<float>(),
                     torch_workers());
    return before;
  }

 private:
  RowsShape shape_;
  float slope_;
  std::vector<float> zeros_, scale_;
};

struct NormedConvolution : torch::autograd::Function<NormedConvolution> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& maps,
                               const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& left, const torch::Tensor& right, double value,
                               int64_t stride, double slope) {
    const c10::impl::ExcludeDispatchKeyGuard full_precision(c10::autocast_dispatch_keyset);
    const torch::Tensor dense = maps.contiguous(kLayout);
    torch::Tensor result = convolve(dense, weight, stride);
    NormedFinish(result, value, slope).apply(result, bias);
    context->save_for_backward({dense, weight, left, right, result});
    context->saved_data["value"] = value;
    context->saved_data["stride"] = stride;
    context->saved_data["slope"] = slope;
    return result;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (at::GradMode::is_enabled())
      throw Error(
          "second derivatives through the heads are not there with --kernels auto; give --kernels torch");
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor &maps = saved[0], &weight = saved[1], &result = saved[4];
    const double value = context->saved_data["value"].toDouble();
    const int64_t stride = context->saved_data["stride"].toInt();
    const torch::Tensor given = gradients[0].contiguous(kLayout);
    const torch::Tensor gradient =
        NormedFinish(given, value, context->saved_data["slope"].toDouble()).gradient_before(result, given);
    variable_list made(8);
    if (context->needs_input_grad(0)) made[0] = gradient_to_maps(gradient, weight, maps.sizes(), stride);
    if (context->needs_input_grad(1))
      made[1] = through_the_norm(gradient_to_weight(maps, gradient, weight.size(2), stride), weight,
                                 {saved[2], saved[3], value});
    if (context->needs_input_grad(2)) made[2] = rows_of(gradient).sum(0).mul_(value);
    return made;
  }

 private:
  // Of the weight W, which is divided by s = u'Wv: from G, the gradient that takes s for a constant,
  // G - <G, W>/s uv'.
  static torch::Tensor through_the_norm(torch::Tensor gradient, const torch::Tensor& weight,
                                        const SingularVectors& vectors) {
    const double along = gradient.flatten().dot(weight_matrix(weight).flatten()).item<double>();
    gradient.addr_(vectors.left, vectors.right, 1, -along / vectors.value);
    const int64_t side = weight.size(2);
    return gradient.view({weight.size(0), side, side, weight.size(1)}).permute({0, 3, 1, 2});
  }
};

}  // namespace

torch::Tensor weight_matrix(const torch::Tensor& weight) {
  return weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1});
}

bool can_convolve_normed(const Convolution& shape, const torch::Tensor& maps, const torch::Tensor& weight) {
  const bool plain = maps.device().is_cpu() && maps.scalar_type() == torch::kFloat && maps.numel() > 0 &&
                     shape.bias && shape.groups == 1 && shape.end_padding == 0;
  if (!plain) return false;
  if (halves_or_doubles(shape))
    return maps.size(2) % 2 == 0 && maps.size(3) % 2 == 0 &&
           float32_kernel_to_halve(maps, weight) != HalvingKernel::kNone;
  return shape.stride == 1 && shape.kernel % 2 == 1 && shape.padding == shape.kernel / 2;
}

torch::Tensor convolve_normed(const Convolution& shape, const torch::Tensor& maps,
                              const torch::Tensor& weight, const torch::Tensor& bias,
                              const SingularVectors& vectors, double slope) {
  return NormedConvolution::apply(maps, weight, bias, vectors.left, vectors.right, vectors.value,
                                  shape.stride, slope);
}

}  // namespace nowhere
