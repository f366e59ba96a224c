#include "export/chain.h"

#include <fmt/core.h>

#include <bit>

#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

namespace nn = torch::nn;

// ONNX and safetensors want the lowest byte first, and the weights are written from where they lie.
static_assert(std::endian::native == std::endian::little);

Layer layer_of(const nn::Module& module, std::string name) {
  Layer layer{.name = std::move(name)};
  for (const auto& item : module.named_parameters())
    layer.parameters.emplace_back(item.key(), item.value().detach().contiguous());
  for (const auto& item : module.named_buffers())
    layer.buffers.emplace_back(item.key(), item.value().detach().contiguous());
  if (const auto* grow = module.as<nn::ConvTranspose2d>(); grow != nullptr) {
    layer.kind = Layer::Kind::kGrow;
    layer.stride = grow->options.stride()->front();
    layer.padding = std::get<torch::ExpandingArray<2>>(grow->options.padding())->front();
  } else if (const auto* norm = module.as<nn::BatchNorm2d>(); norm != nullptr) {
    layer.kind = Layer::Kind::kNormalise;
    layer.epsilon = norm->options.eps();
  } else if (module.as<nn::ReLU>() != nullptr) {
    layer.kind = Layer::Kind::kRelu;
  } else if (module.as<nn::Tanh>() != nullptr) {
    layer.kind = Layer::Kind::kTanh;
  } else {
    throw Error(fmt::format("the generator has a layer {} that no exported file can hold", module.name()));
  }
  return layer;
}

}  // namespace

Chain chain_of(const LoadedGenerator& loaded, const std::string& name) {
  const ModelConfig& config = loaded.config;
  Chain chain{.nz = config.nz, .nc = config.nc, .size = config.img_size};
  const auto main = loaded.generator->named_children()["main"];
  for (const auto& item : main->named_children()) chain.layers.push_back(layer_of(*item.value(), item.key()));
  chain.facts = {
      {"name", name},
      {"architecture", "DCGAN generator"},
      {"epoch", std::to_string(loaded.epoch)},
      {"images_seen", std::to_string(loaded.images)},
      {"checkpoint", printable(loaded.file.filename())},
      {"parameters", std::to_string(count_parameters(*loaded.generator))},
      {"latent_size", std::to_string(config.nz)},
      {"picture_size", std::to_string(config.img_size)},
      {"input", fmt::format("z, float32 [N,{0}] or [N,{0},1,1], standard normal", config.nz)},
      {"output",
       fmt::format("pictures, float32 [N,{},{},{}] in [-1,1]", config.nc, config.img_size, config.img_size)},
  };
  return chain;
}

}  // namespace nowhere
