#include "model/discriminator.h"

#include <fmt/core.h>

#include <algorithm>

namespace nowhere {
namespace {

std::vector<NetworkDescription> networks_of(const std::vector<DiscriminatorPart>& parts) {
  std::vector<NetworkDescription> networks;
  for (const DiscriminatorPart& part : parts) networks.push_back(part.network);
  return networks;
}

}  // namespace

DiscriminatorImpl::DiscriminatorImpl(const ModelConfig& config, std::shared_ptr<FeatureMaps> frozen,
                                     Kernels kernels)
    : DiscriminatorImpl(discriminator_parts(config, frozen ? frozen->shapes() : std::vector<MapShape>()),
                        frozen, kernels) {}

DiscriminatorImpl::DiscriminatorImpl(std::vector<DiscriminatorPart> parts,
                                     std::shared_ptr<FeatureMaps> frozen, Kernels kernels)
    : NetworkImpl(networks_of(parts), kernels), frozen_(std::move(frozen)) {
  for (const DiscriminatorPart& part : parts) parts_.push_back({part.map, part.weight});
}

Seen Seen::detach() const {
  Seen seen{pictures.detach(), {}};
  for (const torch::Tensor& map : maps) seen.maps.push_back(map.detach());
  return seen;
}

Seen join(const Seen& a, const Seen& b) {
  Seen both{torch::cat({a.pictures, b.pictures}), {}};
  for (size_t i = 0; i < a.maps.size(); ++i) both.maps.push_back(torch::cat({a.maps[i], b.maps[i]}));
  return both;
}

Seen DiscriminatorImpl::look(const torch::Tensor& pictures) {
  return {pictures, frozen_ ? (*frozen_)(pictures) : std::vector<torch::Tensor>()};
}

torch::Tensor DiscriminatorImpl::logits(const Seen& seen) {
  std::vector<torch::Tensor> columns;
  for (size_t part = 0; part < parts_.size(); ++part) {
    const auto map = parts_[part].map;
    columns.push_back(run(part, map ? seen.maps[*map] : seen.pictures).view({-1, 1}));
  }
  return columns.size() == 1 ? columns.front() : torch::cat(columns, 1);
}

torch::Tensor DiscriminatorImpl::forward_pixels(const torch::Tensor& pictures) {
  std::vector<torch::Tensor> logits;
  for (size_t part = 0; part < parts_.size(); ++part)
    if (!parts_[part].map) logits.push_back(run(part, pictures).view({-1, 1}));
  return torch::cat(logits, 1);
}

bool DiscriminatorImpl::sees_pixels() const {
  return std::ranges::any_of(parts_, [](const PartFacts& part) { return !part.map; });
}

bool DiscriminatorImpl::measure_scales(const torch::Tensor& real) {
  if (scales_known_ || !frozen_) return false;
  const torch::NoGradGuard no_gradients;
  const std::vector<torch::Tensor> maps = (*frozen_)(real);
  auto buffers = named_buffers();
  for (size_t map = 0; map < maps.size(); ++map) {
    torch::Tensor& deviation = buffers[fmt::format("heads.{}.input.deviation", map)];
    if (deviation.item<float>() == 0) deviation.fill_(maps[map].std().clamp_min(1e-6));
  }
  scales_known_ = true;
  return true;
}

}  // namespace nowhere
