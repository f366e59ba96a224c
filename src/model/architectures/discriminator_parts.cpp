#include "model/architectures/discriminator_parts.h"

#include <fmt/core.h>

#include <string>

#include "core/error.h"
#include "model/architectures/architecture.h"

namespace nowhere {
namespace {

constexpr int64_t kHalvingKernel = 4, kLastSide = 4;

// The spread over groups of pictures as one more channel.
void add_spread(NetworkDescription& network, const std::string& name, int group) {
  if (group == 0) return;
  const size_t features = network.last();
  const size_t spread = network.add(name + ".spread", GroupSpread{group});
  network.add(name + ".features", Concatenate(), {features, spread});
}

// A small network on a thumbnail: it has little to see, so it is cheap, and what it sees is light and layout.
NetworkDescription thumbnail_network(const ModelConfig& config) {
  constexpr int64_t kLastWidening = 8;
  NetworkDescription network({config.nc, config.img_size, config.img_size});
  network.add("thumbnail.pool", AveragePool{config.img_size / config.d_thumbnail});
  int number = 0;
  for (int64_t side = config.d_thumbnail; side > kLastSide; side /= 2) {
    const int64_t channels = side / 2 > kLastSide ? config.ndf : config.ndf * kLastWidening;
    network.add(fmt::format("thumbnail.conv{}", number), Convolution{.channels = channels,
                                                                     .kernel = kHalvingKernel,
                                                                     .stride = 2,
                                                                     .padding = 1,
                                                                     .start = WeightStart::kFanIn});
    network.add(fmt::format("thumbnail.relu{}", number++), LeakyRelu());
  }
  add_spread(network, "thumbnail", config.d_group);
  network.add("thumbnail.logit",
              Convolution{.channels = 1, .kernel = kLastSide, .start = WeightStart::kFanIn});
  return network;
}

// A head: convolutions with spectral norm down to 4 x 4, a logit at every place, their mean.
NetworkDescription head_network(const ModelConfig& config, size_t number, const MapShape& map) {
  const std::string head = fmt::format("heads.{}", number);
  const auto convolution = [&](int64_t channels, int64_t kernel, int64_t stride, int64_t padding) {
    return Convolution{.channels = channels,
                       .kernel = kernel,
                       .stride = stride,
                       .padding = padding,
                       .bias = true,
                       .spectral_norm = true,
                       .start = WeightStart::kFanIn};
  };
  NetworkDescription network(map);
  network.add(head + ".input", UnitScale());
  int layer = 0;
  const auto add = [&](const Convolution& shape) {
    network.add(fmt::format("{}.conv{}", head, layer), shape);
    network.add(fmt::format("{}.relu{}", head, layer++), LeakyRelu());
  };
  for (int64_t side = map.height; side > kLastSide; side /= 2)
    add(convolution(config.d_heads, kHalvingKernel, 2, 1));
  add_spread(network, head, config.d_group);
  add(convolution(config.d_heads, 3, 1, 1));
  network.add(head + ".logit", convolution(1, 1, 1, 0));
  network.add(head + ".mean", SpatialMean());
  return network;
}

}  // namespace

std::vector<DiscriminatorPart> discriminator_parts(const ModelConfig& config,
                                                   std::span<const MapShape> maps) {
  config.check();
  std::vector<DiscriminatorPart> parts;
  if (config.d_pixels) parts.push_back({{}, 1, architecture(config.architecture).discriminator(config)});
  if (config.d_thumbnail > 0) parts.push_back({{}, 1, thumbnail_network(config)});
  // The heads count as much as one other part together.
  for (size_t i = 0; i < maps.size(); ++i)
    parts.push_back({i, 1.0 / static_cast<double>(maps.size()), head_network(config, i, maps[i])});
  if (parts.empty())
    throw usage_error(
        "nothing would judge the pictures: give --d-pixels yes, --d-thumbnail 16 or --features auto");
  return parts;
}

}  // namespace nowhere
