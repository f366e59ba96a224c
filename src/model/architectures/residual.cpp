// A generator of residual blocks with nearest upsampling: a third of the DCGAN's parameters at the same
// widths, slower for each of them. The discriminator is the DCGAN's.
#include <fmt/core.h>

#include <algorithm>

#include "model/architectures/architecture.h"
#include "model/architectures/dcgan.h"

namespace nowhere {
namespace {

constexpr int64_t kStartSide = 4, kMaxWidening = 8;

Convolution same_size(int64_t channels, int64_t kernel) {
  return {.channels = channels, .kernel = kernel, .padding = kernel / 2};
}

// Twice the size: two convolutions beside a shortcut of one, summed up.
void add_block(NetworkDescription& network, int number, int64_t channels) {
  const auto name = [&](const char* part) { return fmt::format("blocks.{}.{}", number, part); };
  const size_t large = network.add(name("upsample"), UpsampleNearest());
  const size_t shortcut = network.add(name("shortcut"), same_size(channels, 1));
  network.add(name("conv1"), same_size(channels, 3), {large});
  network.add(name("norm1"), BatchNorm());
  network.add(name("relu1"), Relu());
  network.add(name("conv2"), same_size(channels, 3));
  const size_t straight = network.add(name("norm2"), BatchNorm());
  network.add(name("sum"), Sum(), {straight, shortcut});
  network.add(name("relu2"), Relu());
}

// ngf channels at the full size, twice as many with every halving of the side up to eight times.
NetworkDescription residual_generator(const ModelConfig& config) {
  const auto width = [&](int64_t side) {
    return config.ngf * std::min<int64_t>(kMaxWidening, config.img_size / side);
  };
  NetworkDescription network({config.nz, 1, 1});
  network.add("first.conv", TransposedConvolution{.channels = width(kStartSide), .kernel = kStartSide});
  network.add("first.norm", BatchNorm());
  network.add("first.relu", Relu());
  int number = 0;
  for (int64_t side = 2 * kStartSide; side <= config.img_size; side *= 2)
    add_block(network, number++, width(side));
  network.add("last.conv", same_size(config.nc, 3));
  if (config.g_low_pass) network.add("last.low_pass", LowPass());
  network.add("last.tanh", Tanh());
  return network;
}

}  // namespace

Architecture residual_architecture() {
  return {.name = "residual",
          .summary = "residual blocks with nearest upsampling in G, the DCGAN's D",
          .generator = residual_generator,
          .discriminator = dcgan_discriminator};
}

}  // namespace nowhere
