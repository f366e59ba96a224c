#include "model/networks.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/architectures/architecture.h"

namespace nowhere {
namespace {

// Of a tensor that weighs its inputs: how many numbers go into one sum.
int64_t fan_in(const torch::Tensor& weight) {
  return weight.numel() / weight.size(0);
}

}  // namespace

NetworkImpl::NetworkImpl(std::vector<NetworkDescription> descriptions, Kernels kernels) {
  for (NetworkDescription& description : descriptions) {
    Part& part = parts_.emplace_back(Part{std::move(description), {}, {}});
    const std::vector<Layer>& layers = part.description.layers();
    part.last_use.resize(layers.size());
    for (size_t i = 0; i < layers.size(); ++i) {
      part.steps.push_back(i == 0 ? LayerStep() : make_layer_step(part.description, i, kernels));
      if (part.steps[i].module != nullptr) register_layer(layers[i].name, part.steps[i].module);
      for (const size_t input : layers[i].inputs) part.last_use[input] = i;
    }
  }
}

std::vector<TensorDescription> NetworkImpl::tensors() const {
  std::vector<TensorDescription> all;
  for (const Part& part : parts_) std::ranges::move(part.description.tensors(), std::back_inserter(all));
  return all;
}

// "main.3" is the child "3" of the child "main".
void NetworkImpl::register_layer(const std::string& name, std::shared_ptr<torch::nn::Module> module) {
  torch::nn::Module* parent = this;
  size_t begin = 0;
  for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
    const std::string part = name.substr(begin, dot - begin);
    const auto children = parent->named_children();
    const auto* known = children.find(part);
    parent = known != nullptr ? known->get()
                              : parent->register_module(part, std::make_shared<torch::nn::Module>()).get();
    begin = dot + 1;
  }
  parent->register_module(name.substr(begin), std::move(module));
}

torch::Tensor NetworkImpl::run(size_t network, torch::Tensor input) {
  const size_t last = parts_[network].description.last();
  return run(network, std::move(input), {&last, 1}).front();
}

std::vector<torch::Tensor> NetworkImpl::run(size_t network, torch::Tensor input,
                                            std::span<const size_t> wanted) {
  const Part& part = parts_[network];
  const std::vector<Layer>& layers = part.description.layers();
  std::vector<torch::Tensor> outputs(layers.size()), inputs, results(wanted.size());
  outputs[0] = std::move(input);
  for (size_t i = 1; i < layers.size(); ++i) {
    inputs.clear();
    for (const size_t number : layers[i].inputs) inputs.push_back(outputs[number]);
    // What nobody needs any more is given up here, unless the gradients keep it.
    for (const size_t number : layers[i].inputs)
      if (part.last_use[number] == i) outputs[number] = torch::Tensor();
    outputs[i] = part.steps[i].run(inputs);
    for (size_t k = 0; k < wanted.size(); ++k)
      if (wanted[k] == i) results[k] = outputs[i];
  }
  return results;
}

GeneratorImpl::GeneratorImpl(const ModelConfig& config, Kernels kernels)
    : NetworkImpl({describe_generator(config)}, kernels) {}

torch::Tensor GeneratorImpl::forward(const GeneratorInput& input) {
  return run(0, input.latent);
}

void initialise(NetworkImpl& network, uint64_t seed) {
  constexpr double kDeviation = 0.02;
  const torch::NoGradGuard no_gradients;
  auto generator = at::detail::createCPUGenerator(seed);
  auto parameters = network.named_parameters();
  auto buffers = network.named_buffers();
  for (const TensorDescription& description : network.tensors()) {
    const bool parameter = description.role == TensorDescription::Role::kParameter;
    torch::Tensor& tensor = (parameter ? parameters : buffers)[description.name];
    switch (description.start) {
      case TensorDescription::Start::kWeight:
        tensor.normal_(0, kDeviation, generator);
        break;
      case TensorDescription::Start::kFanIn: {
        const double bound = 1 / std::sqrt(static_cast<double>(fan_in(tensor)));
        tensor.uniform_(-bound, bound, generator);
        break;
      }
      case TensorDescription::Start::kScale:
        tensor.normal_(1, kDeviation, generator);
        break;
      case TensorDescription::Start::kDirection:
        tensor.normal_(0, 1, generator);
        tensor.div_(tensor.norm());
        break;
      case TensorDescription::Start::kZero:
        tensor.zero_();
        break;
      case TensorDescription::Start::kOne:
        tensor.fill_(1);
        break;
    }
  }
}

int64_t count_parameters(const torch::nn::Module& network) {
  int64_t count = 0;
  for (const torch::Tensor& parameter : network.parameters()) count += parameter.numel();
  return count;
}

}  // namespace nowhere
