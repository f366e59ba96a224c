#include "model/feature_passes.h"

#include <torch/custom_class.h>

#include "core/error.h"
#include "model/workers.h"

namespace nowhere {

struct FeaturePasses::Network : torch::CustomClassHolder {
  struct MapSize {
    int64_t channels, side;
  };

  explicit Network(const InvertedNetworkWeights& weights) : side(weights.stem.side), passes(weights) {
    for (const size_t block : weights.maps)
      maps.push_back({weights.blocks[block].out, weights.blocks[block].depthwise.out_side});
  }

  int64_t side;
  std::vector<MapSize> maps;
  InvertedNetwork passes;
};

namespace {

using Network = FeaturePasses::Network;

torch::Tensor empty_maps(int64_t count, int64_t channels, int64_t side) {
  return torch::empty({count, channels, side, side},
                      torch::TensorOptions(torch::kFloat).memory_format(at::MemoryFormat::ChannelsLast));
}

// `bits` may be undefined: then nobody wants a gradient.
std::vector<torch::Tensor> run(const Network& network, const torch::Tensor& pictures,
                               const torch::Tensor& bits) {
  const int64_t count = pictures.size(0);
  std::vector<torch::Tensor> maps;
  std::vector<float*> numbers;
  for (const auto& [channels, side] : network.maps) {
    maps.push_back(empty_maps(count, channels, side));
    numbers.push_back(maps.back().mutable_data_ptr<float>());
  }
  const PictureBatch batch{
      {pictures.const_data_ptr<float>(), pictures.stride(1), pictures.stride(2), pictures.stride(3)},
      pictures.stride(0),
      count};
  uint8_t* written = bits.defined() ? bits.mutable_data_ptr<uint8_t>() : nullptr;
  divide_among_threads(count, [&](int64_t begin, int64_t end) {
    network.passes.forward(batch, {begin, end}, numbers, written);
  });
  return maps;
}

torch::Tensor run_back(const Network& network, const std::vector<torch::Tensor>& gradients,
                       const torch::Tensor& bits, int64_t count) {
  std::vector<MapGradient> numbers;
  for (const torch::Tensor& gradient : gradients)
    numbers.push_back(gradient.defined()
                          ? MapGradient{gradient.const_data_ptr<float>(), gradient.stride(0),
                                        gradient.stride(1), gradient.stride(2), gradient.stride(3)}
                          : MapGradient());
  const torch::Tensor out = empty_maps(count, kColours, network.side);
  auto* to = out.mutable_data_ptr<float>();
  const auto* known = bits.const_data_ptr<uint8_t>();
  divide_among_threads(count, [&](int64_t begin, int64_t end) {
    network.passes.backward(numbers, known, count, {begin, end}, to);
  });
  return out;
}

struct FeatureFunction : torch::autograd::Function<FeatureFunction> {
  static std::vector<torch::Tensor> forward(torch::autograd::AutogradContext* context,
                                            const torch::Tensor& pictures,
                                            const c10::intrusive_ptr<Network>& network) {
    const torch::Tensor bits = torch::empty({network->passes.bit_bytes(pictures.size(0))}, torch::kByte);
    context->saved_data["network"] = torch::IValue::make_capsule(network);
    context->saved_data["bits"] = bits;
    context->saved_data["count"] = pictures.size(0);
    context->set_materialize_grads(false);
    return run(*network, pictures, bits);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    if (at::GradMode::is_enabled())
      throw Error(
          "second derivatives through the frozen network are not there with --kernels auto; give --kernels "
          "torch");
    const auto holder = context->saved_data["network"].toCapsule();
    return {run_back(static_cast<const Network&>(*holder), gradients, context->saved_data["bits"].toTensor(),
                     context->saved_data["count"].toInt()),
            torch::Tensor()};
  }
};

}  // namespace

FeaturePasses::FeaturePasses(const InvertedNetworkWeights& weights)
    : network_(c10::make_intrusive<Network>(weights)) {}

bool FeaturePasses::takes(const torch::Tensor& pictures) const {
  return pictures.is_cpu() && pictures.scalar_type() == torch::kFloat && pictures.dim() == 4 &&
         pictures.size(1) == kColours && pictures.size(2) == network_->side &&
         pictures.size(3) == network_->side;
}

std::vector<torch::Tensor> FeaturePasses::operator()(const torch::Tensor& pictures) const {
  if (at::GradMode::is_enabled() && pictures.requires_grad())
    return FeatureFunction::apply(pictures, network_);
  return run(*network_, pictures, {});
}

}  // namespace nowhere
