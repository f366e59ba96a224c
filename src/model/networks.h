// Networks for LibTorch, made from their descriptions.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/description.h"
#include "model/generator_input.h"
#include "model/layer_steps.h"

namespace nowhere {

// One network or several in one module. Submodules bear the layers' names, so parameters and buffers have
// those of the descriptions' tensors.
class NetworkImpl : public torch::nn::Module {
 public:
  // Throws Error, naming the layer, when one cannot be made of its description.
  explicit NetworkImpl(std::vector<NetworkDescription> descriptions, Kernels kernels = Kernels::kAuto);

  const NetworkDescription& description(size_t network = 0) const { return parts_[network].description; }
  std::vector<TensorDescription> tensors() const;  // of all networks

 protected:
  // [N,C,H,W] of a description's input -> of its output
  torch::Tensor run(size_t network, torch::Tensor input);
  // The outputs of the layers with these numbers.
  std::vector<torch::Tensor> run(size_t network, torch::Tensor input, std::span<const size_t> wanted);

 private:
  struct Part {
    NetworkDescription description;
    std::vector<LayerStep> steps;  // one for each layer; none for the input
    std::vector<size_t> last_use;  // of each layer's output: the number of the last layer that takes it
  };

  void register_layer(const std::string& name, std::shared_ptr<torch::nn::Module> module);

  std::vector<Part> parts_;
};

class GeneratorImpl : public NetworkImpl {
 public:
  explicit GeneratorImpl(const ModelConfig& config, Kernels kernels = Kernels::kAuto);

  // Pictures [N,nc,S,S] in [-1,1]
  torch::Tensor forward(const GeneratorInput& input);
};
TORCH_MODULE(Generator);

// Sets all parameters and buffers as the description says (convolutions N(0, 0.02); batch norms weight
// N(1, 0.02), bias 0), drawn on the CPU from `seed` alone.
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
