#include "model/inverted_weights.h"

#include <fmt/core.h>

#include <algorithm>

namespace nowhere {
namespace {

// Goes from layer to layer as long as they are what such a network has at their place.
class InvertedReader {
 public:
  InvertedReader(const NetworkDescription& network, const TensorNumbers& numbers)
      : network_(network), layers_(network.layers()), numbers_(numbers) {}

  bool read_stem(InvertedNetworkWeights& weights) {
    const Convolution* stem = convolution();
    const MapShape& input = network_.input();
    if (stem == nullptr || input.channels != kColours || input.height % 2 != 0 || stem->stride != 2 ||
        stem->kernel < 2 || stem->groups != 1 || layers_[here_].shape.height != input.height / 2)
      return false;
    weights.stem = {input.height, stem->channels, stem->kernel, stem->padding};
    weights.stem_weights = tensor("weight");
    weights.stem_bias = tensor("bias");
    ++here_;
    return activation();
  }

  bool read_block(InvertedBlockWeights& block, bool first) {
    const size_t input = here_ - 1;
    block.in = block.wide = layers_[input].shape.channels;
    if (!first) {
      if (!pointwise(block.expand, block.expand_bias)) return false;
      block.wide = layers_[here_ - 1].shape.channels;
      if (!activation()) return false;
    }
    if (!depthwise(block) || !activation() || !pointwise(block.project, block.project_bias)) return false;
    block.out = layers_[here_ - 1].shape.channels;
    if (at_end() || layers_[here_].as<Sum>() == nullptr) return true;
    std::vector<size_t> summed = layers_[here_].inputs;
    std::ranges::sort(summed);
    // Without an expansion, the gradient of the sum would have to pass the ReLU6 in front of the block.
    if (first || summed != std::vector<size_t>{input, here_ - 1}) return false;
    block.residual = true;
    ++here_;
    return true;
  }

  bool at_end() const { return here_ == layers_.size(); }
  size_t here() const { return here_; }

 private:
  std::vector<float> tensor(const char* which) const {
    return numbers_(fmt::format("{}.{}", layers_[here_].name, which));
  }

  bool follows() const { return !at_end() && layers_[here_].inputs == std::vector<size_t>{here_ - 1}; }

  // A square one with a bias, on square maps.
  const Convolution* convolution() const {
    const Convolution* found = follows() ? layers_[here_].as<Convolution>() : nullptr;
    const bool square = found != nullptr && layers_[here_].shape.height == layers_[here_].shape.width &&
                        layers_[here_ - 1].shape.height == layers_[here_ - 1].shape.width;
    return square && found->bias && !found->spectral_norm ? found : nullptr;
  }

  bool activation() {
    if (!follows() || layers_[here_].as<Relu6>() == nullptr) return false;
    ++here_;
    return true;
  }

  bool pointwise(std::vector<float>& weights, std::vector<float>& bias) {
    const Convolution* found = convolution();
    if (found == nullptr || found->kernel != 1 || found->stride != 1 || found->padding != 0 ||
        found->end_padding != 0 || found->groups != 1)
      return false;
    weights = tensor("weight");
    bias = tensor("bias");
    ++here_;
    return true;
  }

  bool depthwise(InvertedBlockWeights& block) {
    const Convolution* found = convolution();
    if (found == nullptr || found->groups != block.wide || found->channels != block.wide) return false;
    block.depthwise = {.channels = block.wide,
                       .kernel = found->kernel,
                       .stride = found->stride,
                       .padding = found->padding,
                       .side = layers_[here_ - 1].shape.height,
                       .out_side = layers_[here_].shape.height};
    if (!Depthwise::supports(block.depthwise)) return false;
    block.depthwise_weights = tensor("weight");
    block.depthwise_bias = tensor("bias");
    ++here_;
    return true;
  }

  const NetworkDescription& network_;
  const std::vector<Layer>& layers_;
  const TensorNumbers& numbers_;
  size_t here_ = 1;  // the layer to be read; the one before it is what it has to take
};

}  // namespace

Result<InvertedNetworkWeights> inverted_weights(const NetworkDescription& network,
                                                std::span<const size_t> maps, const TensorNumbers& numbers) {
  InvertedNetworkWeights weights;
  InvertedReader reader(network, numbers);
  const auto refuse = [&] {
    const Layer& layer = network.layers()[std::min(reader.here(), network.last())];
    return Failure{fmt::format("the kernels do not make the layer {} ({}) at its place", layer.name,
                               name_of(layer.operation))};
  };
  if (!reader.read_stem(weights)) return refuse();
  size_t found = 0;
  while (!reader.at_end()) {
    const bool first = weights.blocks.empty();
    if (!reader.read_block(weights.blocks.emplace_back(), first)) return refuse();
    if (found < maps.size() && maps[found] == reader.here() - 1) {
      weights.maps.push_back(weights.blocks.size() - 1);
      ++found;
    }
  }
  if (weights.blocks.empty() || found < maps.size() || maps.empty() || maps.back() != network.last())
    return Failure{"the kernels give the outputs of whole blocks only, the last among them"};
  return weights;
}

}  // namespace nowhere
