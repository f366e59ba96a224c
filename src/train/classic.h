// The original's training step.
#pragma once

#include <torch/torch.h>

#include "model/networks.h"
#include "train/adam.h"

namespace nowhere {

// Scalars on the device: reading one waits for it, so they are read only when they are logged.
struct StepResult {
  torch::Tensor d_loss;  // on real and on fake, summed
  torch::Tensor g_loss;
  torch::Tensor d_x;     // mean of sigmoid(D(x))
  torch::Tensor d_g_z1;  // of sigmoid(D(G(z))) before D's update
  torch::Tensor d_g_z2;  // and after it
};

// D on real, D on fake, update; G on the same fakes, update. The networks and optimizers are the caller's.
StepResult classic_step(Generator& generator, Discriminator& discriminator, Adam& generator_optimizer,
                        Adam& discriminator_optimizer, const torch::Tensor& real, const torch::Tensor& z);

}  // namespace nowhere
