#include "train/players.h"

#include "core/random.h"
#include "model/feature_file.h"

namespace nowhere {
namespace {

AdamConfig adam_config(const TrainConfig& config) {
  return {.lr = config.lr, .beta1 = config.beta1, .beta2 = config.beta2, .weight_decay = config.weight_decay};
}

// LibTorch's modules know no memory format; their tensors do.
template <class Network>
Network place(Network network, const torch::Device& device) {
  network->to(device);
  for (torch::Tensor& parameter : network->parameters())
    if (parameter.dim() == 4) parameter.set_data(parameter.to(at::MemoryFormat::ChannelsLast));
  return network;
}

template <class Network>
Network initialised(Network network, const TrainConfig& config, uint64_t which) {
  initialise(*network, Random(config.seed, Purpose::kInitialise, {which}).bits());
  return network;
}

Generator make_generator(const TrainConfig& config, const torch::Device& device) {
  return place(initialised(Generator(config.model), config, 0), device);
}

std::shared_ptr<FeatureMaps> open_frozen(const TrainConfig& config, const torch::Device& device) {
  if (config.features == kNoFeatures) return nullptr;
  auto frozen = open_feature_maps(config.features, config.model.img_size);
  frozen->to(device);
  return frozen;
}

Discriminator make_discriminator(const TrainConfig& config, const torch::Device& device,
                                 const std::shared_ptr<FeatureMaps>& frozen) {
  return place(initialised(Discriminator(config.model, frozen), config, 1), device);
}

}  // namespace

Players::Players(const TrainConfig& config, const torch::Device& device, Precision precision)
    : frozen(open_frozen(config, device)),
      generator(make_generator(config, device), adam_config(config), device, precision == Precision::kFp16),
      discriminator(make_discriminator(config, device, frozen), adam_config(config), device,
                    precision == Precision::kFp16) {
  if (config.ema_kimg > 0) average = make_generator(config, device);
}

}  // namespace nowhere
