// The training step.
#pragma once

#include <torch/torch.h>

#include "device/device.h"
#include "train/config.h"
#include "train/losses.h"
#include "train/players.h"

namespace nowhere {

// Scalars on the device: reading one waits for it, so they are read only when they are logged.
struct StepResult {
  torch::Tensor d_loss;
  torch::Tensor g_loss;
  torch::Tensor d_x;                     // mean of sigmoid(D(x))
  torch::Tensor d_g_z1;                  // of sigmoid(D(G(z))) before D's update
  torch::Tensor d_g_z2;                  // and after it
  torch::Tensor d_gradient, g_gradient;  // norms; only when asked for
  torch::Tensor fake;                    // [N,nc,S,S] in [-1,1], what G made
};

class GanStep {
 public:
  // What is passed outlives it. `group`: of the processes that take this step together; null for one alone.
  GanStep(const TrainConfig& config, Players& players, const torch::Device& device, Precision precision,
          Group* group = nullptr);

  // One update of D, then one of G on the same fakes. `real` [N,nc,S,S] in [-1,1], `input` as many, both on
  // the device; `number` counts from 0 and keys everything that is drawn, with the rank. `measured` asks for
  // gradient norms.
  StepResult operator()(const torch::Tensor& real, const GeneratorInput& input, uint64_t number,
                        bool measured = false);

 private:
  std::pair<torch::Tensor, torch::Tensor> judge(const Seen& real, const Seen& fake);
  torch::Tensor penalty(const torch::Tensor& real);
  torch::Tensor total(LossFunction Loss::*role, const torch::Tensor& on_real,
                      const torch::Tensor& on_fake) const;
  torch::Tensor discriminator_view(const torch::Tensor& pictures, uint64_t number, uint64_t occasion) const;
  template <class Network>
  torch::Tensor update(Player<Network>& player, const torch::Tensor& loss, bool measured);

  const TrainConfig& config_;
  Players& players_;
  torch::Device device_;
  Precision precision_;
  Group* group_;
  uint64_t seed_;  // of what is drawn in steps
  const Loss &loss_, &head_loss_;
};

}  // namespace nowhere
