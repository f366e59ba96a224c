#include "model/spectral_norm.h"

#include "model/normed_convolution.h"

namespace nowhere {
namespace {

class SpectralNormConvImpl : public torch::nn::Module {
 public:
  SpectralNormConvImpl(const Convolution& shape, int64_t input_channels, Kernels kernels,
                       std::optional<double> slope)
      : shape_(shape), kernels_(kernels), slope_(slope) {
    const int64_t inner = input_channels / shape.groups, side = shape.kernel;
    weight = register_parameter("weight_orig", torch::empty({shape.channels, inner, side, side}));
    if (shape.bias) bias = register_parameter("bias", torch::empty({shape.channels}));
    u = register_buffer("weight_u", torch::empty({shape.channels}));
    v = register_buffer("weight_v", torch::empty({inner * side * side}));
  }

  torch::Tensor forward(const torch::Tensor& maps) {
    if (kernels_ == Kernels::kAuto && can_convolve_normed(shape_, maps, weight))
      return convolve_normed(shape_, maps, weight, bias, vectors(), slope_.value_or(1));
    const torch::Tensor result =
        torch::conv2d(maps, normed_weight(), bias, shape_.stride, shape_.padding, 1, shape_.groups);
    return slope_ ? torch::leaky_relu(result, *slope_) : result;
  }

 private:
  // For the function on our kernels: without a graph, and in the order of the weight's memory.
  SingularVectors vectors() {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor matrix = weight_matrix(weight);
    const int64_t inner = weight.size(1), taps = v.numel() / inner;
    if (!weight.requires_grad()) {
      const torch::Tensor right = v.view({inner, taps}).t().reshape(-1);
      return {u, right, u.dot(matrix.mv(right)).item<double>()};
    }
    const torch::Tensor right = direction(matrix.t().mv(u)), left = matrix.mv(right);
    const double value = left.norm().item<double>();  // u'Wv, as u is the direction of Wv
    v.view({inner, taps}).copy_(right.view({taps, inner}).t());
    const torch::Tensor unit = left / std::max(value, kSmallest);
    u.copy_(unit);  // what the gradient needs is another tensor: the next pass overwrites this one
    return {unit, right, value};
  }

  torch::Tensor normed_weight() {
    const c10::impl::ExcludeDispatchKeyGuard full_precision(c10::autocast_dispatch_keyset);
    const torch::Tensor matrix = weight.reshape({weight.size(0), -1});  // [out, in * side * side]
    if (weight.requires_grad()) {
      const torch::NoGradGuard no_gradients;
      v.copy_(direction(torch::mv(matrix.t(), u)));
      u.copy_(direction(torch::mv(matrix, v)));
    }
    // Copies, because the gradient needs the vectors of this pass and the next one overwrites them.
    const torch::Tensor largest = torch::dot(u.clone(), torch::mv(matrix, v.clone()));
    return weight / largest;
  }

  static torch::Tensor direction(const torch::Tensor& vector) {
    return vector / vector.norm().clamp_min(kSmallest);
  }

  static constexpr double kSmallest = 1e-12;  // length that vectors are divided by
  Convolution shape_;
  Kernels kernels_;
  std::optional<double> slope_;
  torch::Tensor weight, bias;
  torch::Tensor u, v;  // singular vectors of the largest singular value
};
TORCH_MODULE(SpectralNormConv);

}  // namespace

LayerStep spectral_norm_step(const Convolution& shape, int64_t input_channels, Kernels kernels,
                             std::optional<double> slope) {
  SpectralNormConv module(shape, input_channels, kernels, slope);
  return {[module](std::span<const torch::Tensor> in) mutable { return module(in[0]); }, module.ptr()};
}

}  // namespace nowhere
