#include "exchange/exported_model.h"

#include <fmt/core.h>

#include <bit>

namespace nowhere {
namespace {

// ONNX and safetensors want the lowest byte first, and the weights are written from where they lie.
static_assert(std::endian::native == std::endian::little);

std::vector<std::pair<std::string, std::string>> facts_of(const ModelFacts& facts) {
  const int nz = facts.latent_size, size = facts.picture_size;
  return {
      {"name", facts.name},
      {"architecture", facts.architecture},
      {"epoch", std::to_string(facts.epoch)},
      {"images_seen", std::to_string(facts.images_seen)},
      {"checkpoint", facts.file_name},
      {"parameters", std::to_string(facts.parameters)},
      {"latent_size", std::to_string(nz)},
      {"picture_size", std::to_string(size)},
      {"input", fmt::format("z, float32 [N,{0}] or [N,{0},1,1], standard normal", nz)},
      {"output", fmt::format("pictures, float32 [N,{},{},{}] in [-1,1]", facts.channels, size, size)},
  };
}

}  // namespace

ExportedModel::ExportedModel(const LoadedGenerator& loaded)
    : network_(loaded.generator->description()), facts_(facts_of(loaded.facts)) {
  const auto parameters = loaded.generator->named_parameters(), buffers = loaded.generator->named_buffers();
  for (const Layer& layer : network_.layers()) {
    std::vector<ExportedTensor>& own = tensors_.emplace_back();
    if (layer.inputs.empty()) continue;
    for (TensorDescription& tensor : tensors_of(layer, network_.input_of(layer))) {
      const auto& group = tensor.role == TensorDescription::Role::kParameter ? parameters : buffers;
      const torch::Tensor numbers = group[layer.name + "." + tensor.name].detach().contiguous();
      own.push_back({std::move(tensor), numbers});
    }
  }
}

}  // namespace nowhere
