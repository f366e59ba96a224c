// The two networks with all that changes as they learn.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>

#include "device/loss_scaler.h"
#include "dist/gradient_reducer.h"
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
  std::unique_ptr<GradientReducer> reducer = nullptr;  // null where one process trains alone

  Player(Network made, AdamConfig adam_config, const torch::Device& device, bool scaled)
      : network(std::move(made)), adam(network->parameters(), adam_config), scaler(device, scaled) {}

  // Afterwards the gradients are there, as the mean over all processes.
  void backward(const torch::Tensor& loss) {
    if (reducer)
      reducer->backward(loss);
    else
      loss.backward();
  }
};

struct Players {
  // Initialised from the seed, on the device, in the layout that --channels-last asks for.
  Players(const TrainConfig& config, const torch::Device& device, Precision precision);

  // From here on gradients are those of all processes, and with --sync-bn batch statistics too.
  void join(Group& group, const TrainConfig& config);

  std::shared_ptr<FeatureMaps> frozen;  // what the discriminator looks through; null without --features
  Player<Generator> generator;
  Player<Discriminator> discriminator;
  std::optional<Generator> average;  // of the generator, where the recipe has one
};

}  // namespace nowhere
