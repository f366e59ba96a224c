#include "model/layer_steps.h"

#include <fmt/core.h>

#include <optional>

#include "core/error.h"
#include "model/batch_norm.h"
#include "model/fused_norm.h"
#include "model/group_spread.h"
#include "model/halving_convolution.h"
#include "model/low_pass.h"
#include "model/spectral_norm.h"

namespace nowhere {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

using Inputs = std::span<const torch::Tensor>;

class UnitScaleModuleImpl : public nn::Module {
 public:
  torch::Tensor deviation = register_buffer("deviation", torch::zeros({1}));
};
TORCH_MODULE(UnitScaleModule);

// What a step has to know of its layer beside the operation.
struct LayerPlace {
  std::string name;
  int64_t channels = 0;   // of the input
  bool in_place = false;  // whether an activation may overwrite its input
  Kernels kernels = Kernels::kAuto;
  // Of a layer that takes the activation behind it along: the slope of that. Of an activation: whether it is
  // done already.
  std::optional<double> slope_behind = {};
  bool done = false;
};

torch::Tensor itself(Inputs in) {
  return in[0];
}

bool on_cpu(const torch::Tensor& maps) {
  return maps.device().is_cpu();
}

// A convolution that covers its whole map, and the transposed one of a single place, are products of
// matrices: as such they take the CPU a third of the time. In channels_last nothing is copied for them.

// maps [N,C,H,W], weight [K,C,H,W] -> [N,K,1,1]
torch::Tensor whole_maps_product(const torch::Tensor& maps, const torch::Tensor& weight) {
  const torch::Tensor rows = maps.permute({0, 2, 3, 1}).reshape({maps.size(0), -1}),
                      columns = weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1});
  return rows.mm(columns.t()).view({maps.size(0), weight.size(0), 1, 1});
}

// maps [N,K,1,1], weight [K,C,H,W] -> [N,C,H,W]
torch::Tensor single_places_product(const torch::Tensor& maps, const torch::Tensor& weight) {
  const torch::Tensor columns = weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1});
  return maps.flatten(1)
      .mm(columns)
      .view({maps.size(0), weight.size(2), weight.size(3), weight.size(1)})
      .permute({0, 3, 1, 2});
}

LayerStep step_of(const Convolution& shape, const LayerPlace& place) {
  if (shape.spectral_norm)
    return spectral_norm_step(shape, place.channels, place.kernels, place.slope_behind);
  // Padding that differs at the two ends is laid around the maps first.
  const bool uneven = shape.end_padding != 0;
  nn::Conv2d module(nn::Conv2dOptions(place.channels, shape.channels, shape.kernel)
                        .stride(shape.stride)
                        .padding(uneven ? 0 : shape.padding)
                        .groups(shape.groups)
                        .bias(shape.bias));
  if (uneven) {
    const int64_t begin = shape.padding, end = shape.padding + shape.end_padding;
    return {[module, begin, end](Inputs in) mutable {
              return module(torch::constant_pad_nd(in[0], {begin, end, begin, end}));
            },
            module.ptr()};
  }
  const bool plain = place.kernels == Kernels::kAuto && !shape.bias && shape.groups == 1;
  const bool halves = plain && halves_or_doubles(shape), may_cover = plain && shape.padding == 0;
  const auto run = [module, halves, may_cover, side = shape.kernel](Inputs in) mutable {
    const torch::Tensor& maps = in[0];
    if (const HalvingKernel kernel = halves ? kernel_to_halve(maps, module->weight) : HalvingKernel::kNone;
        kernel != HalvingKernel::kNone)
      return halve_maps_by(kernel, maps, module->weight);
    if (may_cover && on_cpu(maps) && maps.size(2) == side && maps.size(3) == side)
      return whole_maps_product(maps, module->weight);
    return module(maps);
  };
  return {run, module.ptr()};
}

LayerStep step_of(const TransposedConvolution& shape, const LayerPlace& place) {
  nn::ConvTranspose2d module(nn::ConvTranspose2dOptions(place.channels, shape.channels, shape.kernel)
                                 .stride(shape.stride)
                                 .padding(shape.padding)
                                 .bias(false));
  const bool ours = place.kernels == Kernels::kAuto;
  const bool doubles = ours && halves_or_doubles(shape), may_spread = ours && shape.padding == 0;
  const auto run = [module, doubles, may_spread](Inputs in) mutable {
    const torch::Tensor& maps = in[0];
    if (const HalvingKernel kernel = doubles ? kernel_to_double(maps, module->weight) : HalvingKernel::kNone;
        kernel != HalvingKernel::kNone)
      return double_maps_by(kernel, maps, module->weight);
    if (may_spread && on_cpu(maps) && maps.size(2) == 1 && maps.size(3) == 1)
      return single_places_product(maps, module->weight);
    return module(maps);
  };
  return {run, module.ptr()};
}

LayerStep step_of(const BatchNorm& norm, const LayerPlace& place) {
  JointBatchNorm module(nn::BatchNorm2dOptions(place.channels).eps(norm.epsilon));
  if (!place.slope_behind) return {[module](Inputs in) mutable { return module(in[0]); }, module.ptr()};
  const auto run = [module, slope = *place.slope_behind](Inputs in) mutable {
    if (can_fuse_norm(module, in[0])) return norm_and_activate(module, in[0], slope);
    torch::Tensor maps = module(in[0]);
    return slope == 0 ? maps.relu_() : torch::leaky_relu_(maps, slope);
  };
  return {run, module.ptr()};
}

LayerStep step_of(const Relu&, const LayerPlace& place) {
  if (place.done) return {itself};
  return {[in_place = place.in_place](Inputs in) {
    return in_place ? torch::Tensor(in[0]).relu_() : in[0].relu();
  }};
}

LayerStep step_of(const LeakyRelu& activation, const LayerPlace& place) {
  if (place.done) return {itself};
  const auto options = F::LeakyReLUFuncOptions().negative_slope(activation.slope).inplace(place.in_place);
  return {[options](Inputs in) { return F::leaky_relu(in[0], options); }};
}

LayerStep step_of(const Relu6&, const LayerPlace& place) {
  return {[in_place = place.in_place](Inputs in) {
    torch::Tensor maps = in[0];
    return in_place ? torch::hardtanh_(maps, 0, 6) : torch::hardtanh(maps, 0, 6);
  }};
}

LayerStep step_of(const LowPass&, const LayerPlace& place) {
  return {[kernels = place.kernels](Inputs in) { return smooth_maps(in[0], kernels); }};
}

LayerStep step_of(const AveragePool& pool, const LayerPlace&) {
  return {[factor = pool.factor](Inputs in) { return torch::avg_pool2d(in[0], factor); }};
}

LayerStep step_of(const SpatialMean&, const LayerPlace&) {
  return {[](Inputs in) { return in[0].mean({2, 3}, /*keepdim=*/true); }};
}

LayerStep step_of(const UnitScale&, const LayerPlace&) {
  UnitScaleModule module;
  return {[module](Inputs in) { return in[0] / module->deviation; }, module.ptr()};
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

LayerStep step_of(const GroupSpread& spread, const LayerPlace& place) {
  return {[group = spread.group, kernels = place.kernels](Inputs in) {
    return group_spread(in[0], group, kernels);
  }};
}

LayerStep step_of(const Input&, const LayerPlace& place) {
  throw Error(fmt::format("the layer {} of the network is a second input", place.name));
}

// The slope of a ReLU or leaky ReLU below 0.
std::optional<double> slope_of(const Layer& layer) {
  if (layer.as<Relu>() != nullptr) return 0;
  if (const auto* leaky = layer.as<LeakyRelu>(); leaky != nullptr) return leaky->slope;
  return std::nullopt;
}

// Whether the step of the layer can do the activation behind it.
bool can_activate(const Layer& layer) {
  const auto* convolution = layer.as<Convolution>();
  return layer.as<BatchNorm>() != nullptr || (convolution != nullptr && convolution->spectral_norm);
}

// Whether the layer is an activation that is done together with the one in front of it.
bool is_done_before(const NetworkDescription& network, size_t number) {
  const std::vector<Layer>& layers = network.layers();
  return number > 0 && number < layers.size() && layers[number].inputs == std::vector<size_t>{number - 1} &&
         slope_of(layers[number]) && network.in_place(number) && can_activate(layers[number - 1]);
}

}  // namespace

LayerStep make_layer_step(const NetworkDescription& network, size_t number, Kernels kernels) {
  const Layer& layer = network.layers()[number];
  LayerPlace place{layer.name, network.input_of(layer).channels, network.in_place(number), kernels};
  if (kernels == Kernels::kAuto) {
    place.done = is_done_before(network, number);
    if (is_done_before(network, number + 1)) place.slope_behind = slope_of(network.layers()[number + 1]);
  }
  return std::visit([&](const auto& operation) { return step_of(operation, place); }, layer.operation);
}

}  // namespace nowhere
