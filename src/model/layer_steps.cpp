#include "model/layer_steps.h"

#include <fmt/core.h>

#include "core/error.h"
#include "model/matrix_convolution.h"

namespace nowhere {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

using Inputs = std::span<const torch::Tensor>;

// What a step has to know of its layer beside the operation.
struct LayerPlace {
  std::string name;
  int64_t channels = 0;   // of the input
  bool in_place = false;  // whether an activation may overwrite its input
};

// The shape that a matrix product can do faster: 4 x 4, stride 2, padding 1.
template <class Kind>
bool halves_or_doubles(const Kind& layer) {
  return layer.kernel == 4 && layer.stride == 2 && layer.padding == 1;
}

LayerStep step_of(const Convolution& shape, const LayerPlace& place) {
  nn::Conv2d module(nn::Conv2dOptions(place.channels, shape.channels, shape.kernel)
                        .stride(shape.stride)
                        .padding(shape.padding)
                        .bias(false));
  const auto run = [module, halves = halves_or_doubles(shape)](Inputs in) mutable {
    return halves && matrix_is_faster(in[0], in[0].size(2) / 2, module->weight)
               ? halve_maps(in[0], module->weight)
               : module(in[0]);
  };
  return {run, module.ptr()};
}

LayerStep step_of(const TransposedConvolution& shape, const LayerPlace& place) {
  nn::ConvTranspose2d module(nn::ConvTranspose2dOptions(place.channels, shape.channels, shape.kernel)
                                 .stride(shape.stride)
                                 .padding(shape.padding)
                                 .bias(false));
  const auto run = [module, doubles = halves_or_doubles(shape)](Inputs in) mutable {
    return doubles && matrix_is_faster(in[0], in[0].size(2), module->weight)
               ? double_maps(in[0], module->weight)
               : module(in[0]);
  };
  return {run, module.ptr()};
}

LayerStep step_of(const BatchNorm& norm, const LayerPlace& place) {
  nn::BatchNorm2d module(nn::BatchNorm2dOptions(place.channels).eps(norm.epsilon));
  return {[module](Inputs in) mutable { return module(in[0]); }, module.ptr()};
}

LayerStep step_of(const Relu&, const LayerPlace& place) {
  return {[in_place = place.in_place](Inputs in) {
    return in_place ? torch::Tensor(in[0]).relu_() : in[0].relu();
  }};
}

LayerStep step_of(const LeakyRelu& activation, const LayerPlace& place) {
  const auto options = F::LeakyReLUFuncOptions().negative_slope(activation.slope).inplace(place.in_place);
  return {[options](Inputs in) { return F::leaky_relu(in[0], options); }};
}

LayerStep step_of(const Tanh&, const LayerPlace&) {
  return {[](Inputs in) { return in[0].tanh(); }};
}

LayerStep step_of(const UpsampleNearest& up, const LayerPlace&) {
  const std::vector<double> scale(2, static_cast<double>(up.factor));
  const auto options = F::InterpolateFuncOptions().scale_factor(scale).mode(torch::kNearest);
  return {[options](Inputs in) { return F::interpolate(in[0], options); }};
}

LayerStep step_of(const Sum&, const LayerPlace&) {
  return {[](Inputs in) {
    torch::Tensor total = in[0] + in[1];
    for (const torch::Tensor& input : in.subspan(2)) total += input;
    return total;
  }};
}

LayerStep step_of(const Concatenate&, const LayerPlace&) {
  return {[](Inputs in) { return torch::cat(std::vector<torch::Tensor>(in.begin(), in.end()), 1); }};
}

// [N,C,H,W] -> [N,1,H,W]
LayerStep step_of(const GroupSpread& spread, const LayerPlace&) {
  return {[group = spread.group](Inputs in) {
    const torch::Tensor& features = in[0];
    const int64_t count = features.size(0);
    const torch::Tensor grouped = features.reshape({count / group, group, -1});
    const torch::Tensor deviation = (grouped.var(1, /*unbiased=*/false) + 1e-8).sqrt().mean(1);  // [groups]
    return deviation.repeat_interleave(group)
        .view({count, 1, 1, 1})
        .expand({count, 1, features.size(2), features.size(3)});
  }};
}

LayerStep step_of(const Input&, const LayerPlace& place) {
  throw Error(fmt::format("the layer {} of the network is a second input", place.name));
}

}  // namespace

LayerStep make_layer_step(const NetworkDescription& network, size_t number) {
  const Layer& layer = network.layers()[number];
  const LayerPlace place{layer.name, network.input_of(layer).channels, network.in_place(number)};
  return std::visit([&](const auto& operation) { return step_of(operation, place); }, layer.operation);
}

}  // namespace nowhere
