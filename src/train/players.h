// The two networks with all that changes as they learn.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>

#include "device/loss_scaler.h"
#include "model/discriminator.h"
#include "model/feature_maps.h"
#include "train/adam.h"
#include "train/config.h"

namespace nowhere {

// A network and what updates it.
template <class Network>
struct Player {
  Network network;
  Adam adam;
  LossScaler scaler;

  Player(Network made, AdamConfig adam_config, const torch::Device& device, bool scaled)
      : network(std::move(made)), adam(network->parameters(), adam_config), scaler(device, scaled) {}
};

struct Players {
  // Initialised from the seed, on the device, in channels_last.
  Players(const TrainConfig& config, const torch::Device& device, Precision precision);

  std::shared_ptr<FeatureMaps> frozen;  // what the discriminator looks through; null without --features
  Player<Generator> generator;
  Player<Discriminator> discriminator;
  std::optional<Generator> average;  // of the generator, where the recipe has one
};

}  // namespace nowhere
