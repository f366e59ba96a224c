// Networks for LibTorch, made from their descriptions.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/description.h"
#include "model/generator_input.h"
#include "model/layer_steps.h"

namespace nowhere {

// Submodules bear the layers' names, so parameters and buffers have those of the description's tensors.
class NetworkImpl : public torch::nn::Module {
 public:
  // Throws Error, naming the layer, when one cannot be made of the description.
  explicit NetworkImpl(NetworkDescription description);

  const NetworkDescription& description() const { return description_; }

 protected:
  // [N,C,H,W] of the description's input -> of its output
  torch::Tensor run(torch::Tensor input);

 private:
  void register_layer(const std::string& name, std::shared_ptr<torch::nn::Module> module);

  NetworkDescription description_;
  std::vector<LayerStep> steps_;  // one for each layer; none for the input
  std::vector<size_t> last_use_;  // of each layer's output: the number of the last layer that takes it
};

class GeneratorImpl : public NetworkImpl {
 public:
  explicit GeneratorImpl(const ModelConfig& config);

  // Pictures [N,nc,S,S] in [-1,1]
  torch::Tensor forward(const GeneratorInput& input);
};
TORCH_MODULE(Generator);

class DiscriminatorImpl : public NetworkImpl {
 public:
  explicit DiscriminatorImpl(const ModelConfig& config);

  // pictures [N,nc,S,S] in [-1,1] -> logits [N]: above 0 means real
  torch::Tensor forward(const torch::Tensor& pictures);
};
TORCH_MODULE(Discriminator);

// Sets all parameters as the description says (convolutions N(0, 0.02); batch norms weight N(1, 0.02), bias
// 0), drawn on the CPU from `seed` alone.
void initialise(NetworkImpl& network, uint64_t seed);

int64_t count_parameters(const torch::nn::Module& network);

// While it lives, the network normalises by its running statistics, so a picture does not depend on its
// batch.
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

}  // namespace nowhere
