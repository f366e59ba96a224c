// The two networks of the DCGAN, at any size. Module names are the original's (main.0.weight, main.1.running_mean, ...),
// so that state dicts fit in both directions.
#pragma once

#include <torch/torch.h>

#include "model/config.h"

namespace nowhere {

class GeneratorImpl : public torch::nn::Module {
 public:
  explicit GeneratorImpl(const ModelConfig& config);

  // z: [N,nz] or [N,nz,1,1], standard normal -> pictures [N,nc,S,S] in [-1,1]
  torch::Tensor forward(torch::Tensor z);

 private:
  torch::nn::Sequential main_;
};
TORCH_MODULE(Generator);

class DiscriminatorImpl : public torch::nn::Module {
 public:
  struct Traits {
    bool batch_norm = true;  // the relativistic recipe does without
    // Pictures in a group whose spread is shown to the last layer, so that it sees when all look alike; 0 for none.
    // Groups are neighbours in the batch, whose size is a multiple.
    int group = 0;
  };
  explicit DiscriminatorImpl(const ModelConfig& config) : DiscriminatorImpl(config, Traits()) {}
  DiscriminatorImpl(const ModelConfig& config, Traits traits);

  // pictures [N,nc,S,S] in [-1,1] -> logits [N]: above 0 means real
  torch::Tensor forward(torch::Tensor pictures);

 private:
  torch::nn::Sequential main_;
  torch::nn::Sequential body_;  // all of main_ but its last layer; not registered, for the names' sake
  torch::nn::Conv2d last_{nullptr};
  int group_;
};
TORCH_MODULE(Discriminator);

// Convolutions N(0, 0.02); batch norms weight N(1, 0.02), bias 0. Drawn on the CPU from `seed` alone.
void initialise(torch::nn::Module& network, uint64_t seed);

int64_t count_parameters(const torch::nn::Module& network);

}  // namespace nowhere
