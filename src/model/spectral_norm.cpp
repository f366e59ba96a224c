#include "model/spectral_norm.h"

#include "model/halving_convolution.h"

namespace nowhere {
namespace {

class SpectralNormConvImpl : public torch::nn::Module {
 public:
  SpectralNormConvImpl(const Convolution& shape, int64_t input_channels, Kernels kernels)
      : shape_(shape),
        may_halve_(kernels == Kernels::kAuto && halves_or_doubles(shape) && shape.groups == 1) {
    const int64_t inner = input_channels / shape.groups, side = shape.kernel;
    weight = register_parameter("weight_orig", torch::empty({shape.channels, inner, side, side}));
    if (shape.bias) bias = register_parameter("bias", torch::empty({shape.channels}));
    u = register_buffer("weight_u", torch::empty({shape.channels}));
    v = register_buffer("weight_v", torch::empty({inner * side * side}));
  }

  torch::Tensor forward(const torch::Tensor& maps) {
    const torch::Tensor normed = normed_weight();
    if (!may_halve_ || kernel_to_halve(maps, normed) == HalvingKernel::kNone)
      return torch::conv2d(maps, normed, bias, shape_.stride, shape_.padding, 1, shape_.groups);
    const torch::Tensor halved = halve_maps(maps, normed);
    return bias.defined() ? halved + bias.view({-1, 1, 1}) : halved;
  }

 private:
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
    return vector / vector.norm().clamp_min(1e-12);
  }

  Convolution shape_;
  bool may_halve_;
  torch::Tensor weight, bias;
  torch::Tensor u, v;  // singular vectors of the largest singular value
};
TORCH_MODULE(SpectralNormConv);

}  // namespace

LayerStep spectral_norm_step(const Convolution& shape, int64_t input_channels, Kernels kernels) {
  SpectralNormConv module(shape, input_channels, kernels);
  return {[module](std::span<const torch::Tensor> in) mutable { return module(in[0]); }, module.ptr()};
}

}  // namespace nowhere
