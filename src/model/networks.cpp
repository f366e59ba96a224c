#include "model/networks.h"

#include <ATen/CPUGeneratorImpl.h>

#include "model/architectures/architecture.h"

namespace nowhere {

NetworkImpl::NetworkImpl(NetworkDescription description) : description_(std::move(description)) {
  const std::vector<Layer>& layers = description_.layers();
  last_use_.resize(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    steps_.push_back(i == 0 ? LayerStep() : make_layer_step(description_, i));
    if (steps_[i].module != nullptr) register_layer(layers[i].name, steps_[i].module);
    for (const size_t input : layers[i].inputs) last_use_[input] = i;
  }
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

torch::Tensor NetworkImpl::run(torch::Tensor input) {
  const std::vector<Layer>& layers = description_.layers();
  std::vector<torch::Tensor> outputs(layers.size()), inputs;
  outputs[0] = std::move(input);
  for (size_t i = 1; i < layers.size(); ++i) {
    inputs.clear();
    for (const size_t number : layers[i].inputs) inputs.push_back(outputs[number]);
    // What nobody needs any more is given up here, unless the gradients keep it.
    for (const size_t number : layers[i].inputs)
      if (last_use_[number] == i) outputs[number] = torch::Tensor();
    outputs[i] = steps_[i].run(inputs);
  }
  return outputs.back();
}

GeneratorImpl::GeneratorImpl(const ModelConfig& config) : NetworkImpl(describe_generator(config)) {}

torch::Tensor GeneratorImpl::forward(const GeneratorInput& input) {
  return run(input.latent);
}

DiscriminatorImpl::DiscriminatorImpl(const ModelConfig& config)
    : NetworkImpl(describe_discriminator(config)) {}

torch::Tensor DiscriminatorImpl::forward(const torch::Tensor& pictures) {
  return run(pictures).view({-1});
}

void initialise(NetworkImpl& network, uint64_t seed) {
  constexpr double kDeviation = 0.02;
  const torch::NoGradGuard no_gradients;
  auto generator = at::detail::createCPUGenerator(seed);
  auto parameters = network.named_parameters();
  for (const TensorDescription& tensor : network.description().tensors()) {
    if (tensor.role != TensorDescription::Role::kParameter) continue;
    torch::Tensor& parameter = parameters[tensor.name];
    switch (tensor.start) {
      case TensorDescription::Start::kWeight:
        parameter.normal_(0, kDeviation, generator);
        break;
      case TensorDescription::Start::kScale:
        parameter.normal_(1, kDeviation, generator);
        break;
      case TensorDescription::Start::kZero:
        parameter.zero_();
        break;
      case TensorDescription::Start::kOne:
        parameter.fill_(1);
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
