#include "train/players.h"

#include "core/random.h"
#include "device/assignment.h"
#include "model/batch_norm.h"
#include "model/feature_file.h"

namespace nowhere {
namespace {

AdamConfig adam_config(const TrainConfig& config) {
  return {.lr = config.lr, .beta1 = config.beta1, .beta2 = config.beta2, .weight_decay = config.weight_decay};
}

// LibTorch's modules know no memory format; their tensors do.
template <class Network>
Network place(Network network, const TrainConfig& config, const torch::Device& device) {
  network->to(device);
  if (!resolve_channels_last(config.channels_last, device)) return network;
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
  return place(initialised(Generator(config.model, config.kernels), config, 0), config, device);
}

std::shared_ptr<FeatureMaps> open_frozen(const TrainConfig& config, const torch::Device& device) {
  if (config.features == kNoFeatures) return nullptr;
  auto frozen = open_feature_maps(config.features, config.model.img_size);
  frozen->to(device);
  if (config.kernels == Kernels::kAuto) frozen->use_kernels();
  return frozen;
}

Discriminator make_discriminator(const TrainConfig& config, const torch::Device& device,
                                 const std::shared_ptr<FeatureMaps>& frozen) {
  return place(initialised(Discriminator(config.model, frozen, config.kernels), config, 1), config, device);
}

}  // namespace

Players::Players(const TrainConfig& config, const torch::Device& device, Precision precision)
    : frozen(open_frozen(config, device)),
      generator(make_generator(config, device), adam_config(config), device, precision == Precision::kFp16),
      discriminator(make_discriminator(config, device, frozen), adam_config(config), device,
                    precision == Precision::kFp16) {
  if (config.ema_kimg > 0) average = make_generator(config, device);
}

void Players::join(Group& group, const TrainConfig& config) {
  const ReducerOptions options{config.bucket_mb, config.gradient_compression};
  generator.reducer = std::make_unique<GradientReducer>(group, *generator.network, "G", options);
  discriminator.reducer = std::make_unique<GradientReducer>(group, *discriminator.network, "D", options);
  if (!config.sync_bn) return;
  const auto sum = [&group](const torch::Tensor& values) { return group.sum_statistics(values); };
  sum_batch_statistics(*generator.network, sum);
  sum_batch_statistics(*discriminator.network, sum);
}

}  // namespace nowhere
