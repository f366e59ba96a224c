#include "model/architectures/dcgan.h"

#include <fmt/core.h>

#include "model/architectures/architecture.h"

namespace nowhere {
namespace {

constexpr int64_t kKernel = 4, kFirstSide = 4;

// Adds layers named main.0, main.1, ...: the reference's names, so that state dicts fit in both directions.
class Chain {
 public:
  explicit Chain(MapShape input) : network(input) {}
  void add(const Operation& operation) { network.add(next(), operation); }
  std::string next() { return fmt::format("main.{}", number_++); }

  NetworkDescription network;

 private:
  int number_ = 0;
};

// Twice the size.
TransposedConvolution grow(int64_t channels) {
  return {.channels = channels, .kernel = kKernel, .stride = 2, .padding = 1};
}

// Half the size.
Convolution shrink(int64_t channels) {
  return {.channels = channels, .kernel = kKernel, .stride = 2, .padding = 1};
}

// The convolutions of a chain of 4 x 4 kernels by their place in it; empty when it is no such chain.
std::map<int, std::vector<int64_t>> convolutions_of(const TensorShapes& shapes) {
  std::map<int, std::vector<int64_t>> chain;
  constexpr int kMaxLayers = 64;
  for (int place = 0; place < kMaxLayers; ++place) {
    const auto found = shapes.find(fmt::format("main.{}.weight", place));
    if (found != shapes.end() && found->second.size() == 4) chain[place] = found->second;
  }
  for (const auto& [place, shape] : chain)
    if (shape[2] != kKernel || shape[3] != kKernel) return {};
  return chain;
}

std::optional<ModelConfig> recognise_dcgan(const TensorShapes& generator, const TensorShapes& discriminator) {
  constexpr int64_t kMaxChannels = 4096;
  const auto chain = convolutions_of(generator);
  if (chain.size() < 4 || chain.size() > 8) return std::nullopt;  // 32 to 512 px
  const int64_t* before = nullptr;
  for (const auto& [place, shape] : chain) {
    if (before != nullptr && shape[0] != *before) return std::nullopt;
    before = &shape[1];
  }
  const std::vector<int64_t>&first = chain.begin()->second, &last = chain.rbegin()->second;
  for (const int64_t size : {first[0], last[0], last[1]})
    if (size < 1 || size > kMaxChannels) return std::nullopt;
  ModelConfig config;
  config.nz = static_cast<int>(first[0]);
  config.ngf = static_cast<int>(last[0]);
  config.nc = static_cast<int>(last[1]);
  config.img_size = 4 << (chain.size() - 1);
  const auto judge = convolutions_of(discriminator);
  if (!judge.empty() && judge.begin()->second[0] >= 1 && judge.begin()->second[0] <= kMaxChannels)
    config.ndf = static_cast<int>(judge.begin()->second[0]);
  return config;
}

}  // namespace

NetworkDescription dcgan_generator(const ModelConfig& config) {
  Chain chain({config.nz, 1, 1});
  int64_t channels = int64_t{config.ngf} * config.img_size / 8;
  chain.add(TransposedConvolution{.channels = channels, .kernel = kKernel});  // to 4 x 4
  for (int64_t side = kFirstSide;; side *= 2) {
    chain.add(BatchNorm());
    chain.add(Relu());
    if (side == config.img_size / 2) break;
    channels /= 2;
    chain.add(grow(channels));  // twice the size, half the channels
  }
  chain.add(grow(config.nc));
  if (config.g_low_pass) chain.network.add("low_pass", LowPass());
  chain.add(Tanh());
  return chain.network;
}

NetworkDescription dcgan_discriminator(const ModelConfig& config) {
  Chain chain({config.nc, config.img_size, config.img_size});
  int64_t channels = config.ndf;
  chain.add(shrink(channels));
  chain.add(LeakyRelu());
  for (int64_t side = config.img_size / 2; side > kFirstSide; side /= 2) {
    channels *= 2;
    chain.add(shrink(channels));  // half the size, twice the channels
    if (config.d_batch_norm) chain.add(BatchNorm());
    chain.add(LeakyRelu());
  }
  if (config.d_group > 0) {
    const size_t features = chain.network.last();
    const size_t spread = chain.network.add("spread", GroupSpread{config.d_group});
    chain.network.add("features", Concatenate(), {features, spread});
  }
  chain.add(Convolution{.channels = 1, .kernel = kKernel});  // 4 x 4 to one logit
  return chain.network;
}

Architecture dcgan_architecture() {
  return {.name = "dcgan",
          .summary = "the reference DCGAN's",
          .generator = dcgan_generator,
          .discriminator = dcgan_discriminator,
          .recognise = recognise_dcgan};
}

}  // namespace nowhere
