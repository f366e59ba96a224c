// From the generator's numbers to pictures.
#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "core/latent.h"
#include "image/image.h"
#include "model/networks.h"

namespace nowhere {

// [N,3,S,S] in [-1,1], on any device -> N pictures
std::vector<Image> to_images(const torch::Tensor& pictures);

// While it lives, the network normalises by its running statistics, so that a picture does not depend on its batch.
class Evaluating {
 public:
  explicit Evaluating(torch::nn::Module& network) : network_(network), before_(network.is_training()) {
    network_.eval();
  }
  ~Evaluating() { network_.train(before_); }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  torch::nn::Module& network_;
  bool before_;
};

// Every call of the network has this many pictures, the missing ones made up: which kernel an operator takes, and with it
// the last bit of a pixel, depends on the size of the batch. So a picture depends on its latent vector alone.
constexpr int64_t kGeneratedTogether = 16;

// [N,nz,1,1]
torch::Tensor to_tensor(std::span<const Latent> latents);

// z [N,nz,1,1] on the CPU -> [N,nc,S,S] in [-1,1] on the generator's device
torch::Tensor generate(Generator& generator, const torch::Tensor& z);

// The same as pictures.
std::vector<Image> make_pictures(Generator& generator, const torch::Tensor& z);

}  // namespace nowhere
