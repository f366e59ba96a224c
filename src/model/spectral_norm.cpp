#include "model/spectral_norm.h"

#include "kernels/singular.h"
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
  // For the function on our kernels: without a graph.
  SingularVectors vectors() {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor dense = weight.contiguous(torch::MemoryFormat::ChannelsLast);
    const WeightsShape shape{weight.size(0), weight.size(2) * weight.size(3), weight.size(1)};
    SingularVectors found{u, torch::empty_like(v)};
    const SingularPair pair{span_of(u), span_of(v)};
    found.value = (weight.requires_grad() ? improve_singular : singular_value)(
        shape, dense.const_data_ptr<float>(), pair, span_of(found.right));
    if (weight.requires_grad()) found.left = u.clone();  // the gradient needs it; the next pass overwrites u
    return found;
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

  static std::span<float> span_of(const torch::Tensor& vector) {
    return {vector.mutable_data_ptr<float>(), static_cast<size_t>(vector.numel())};
  }

  static torch::Tensor direction(const torch::Tensor& vector) {
    return vector / vector.norm().clamp_min(1e-12);
  }

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
