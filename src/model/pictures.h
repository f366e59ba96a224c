// From the generator's numbers to pictures.
#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "core/latent.h"
#include "image/image.h"
#include "model/networks.h"

namespace nowhere {

// [N,3,S,S] in [-1,1], on any device -> [N,S,S,3] uint8 on the CPU
torch::Tensor to_bytes(const torch::Tensor& pictures);
// [N,3,S,S] in [-1,1], on any device -> N pictures
std::vector<Image> to_images(const torch::Tensor& pictures);
// [N,S,S,3] uint8 -> N pictures
std::vector<Image> bytes_to_images(const torch::Tensor& bytes);

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

// [N,nz,1,1]
torch::Tensor to_tensor(std::span<const Latent> latents);

// The pictures of latent vectors [N,nz,1,1], on the generator's device, a few at a time.
std::vector<Image> make_pictures(Generator& generator, const torch::Tensor& z);

}  // namespace nowhere
