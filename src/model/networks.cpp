#include "model/networks.h"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/core.h>

#include "core/error.h"
#include "core/overloaded.h"
#include "model/architectures/architecture.h"
#include "model/matrix_convolution.h"

namespace nowhere {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

// The shape that a matrix product can do faster: 4 x 4, stride 2, padding 1.
template <class Kind>
bool halves_or_doubles(const Kind& layer) {
  return layer.kernel == 4 && layer.stride == 2 && layer.padding == 1;
}

// The mean deviation within each group of neighbours, as one more channel: [N,C,H,W] -> [N,1,H,W]
torch::Tensor spread(const torch::Tensor& features, int64_t group) {
  const int64_t count = features.size(0);
  const torch::Tensor grouped = features.reshape({count / group, group, -1});
  const torch::Tensor deviation = (grouped.var(1, /*unbiased=*/false) + 1e-8).sqrt().mean(1);  // [groups]
  return deviation.repeat_interleave(group)
      .view({count, 1, 1, 1})
      .expand({count, 1, features.size(2), features.size(3)});
}

torch::Tensor sum(std::span<const torch::Tensor> inputs) {
  torch::Tensor total = inputs[0] + inputs[1];
  for (const torch::Tensor& input : inputs.subspan(2)) total += input;
  return total;
}

}  // namespace

NetworkImpl::NetworkImpl(NetworkDescription description) : description_(std::move(description)) {
  const std::vector<Layer>& layers = description_.layers();
  last_use_.resize(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    steps_.push_back(i == 0 ? Step() : make_step(i));
    for (const size_t input : layers[i].inputs) last_use_[input] = i;
  }
}

// "main.3" is the child "3" of the child "main".
void NetworkImpl::register_layer(const std::string& name, std::shared_ptr<nn::Module> module) {
  nn::Module* parent = this;
  size_t begin = 0;
  for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
    const std::string part = name.substr(begin, dot - begin);
    const auto children = parent->named_children();
    const auto* known = children.find(part);
    parent =
        known != nullptr ? known->get() : parent->register_module(part, std::make_shared<nn::Module>()).get();
    begin = dot + 1;
  }
  parent->register_module(name.substr(begin), std::move(module));
}

NetworkImpl::Step NetworkImpl::make_step(size_t number) {
  const Layer& layer = description_.layers()[number];
  const int64_t from = description_.input_of(layer).channels;
  const bool in_place = description_.in_place(number);
  using Inputs = std::span<const torch::Tensor>;
  return std::visit(
      Overloaded{
          [&](const Convolution& shape) -> Step {
            nn::Conv2d module(nn::Conv2dOptions(from, shape.channels, shape.kernel)
                                  .stride(shape.stride)
                                  .padding(shape.padding)
                                  .bias(false));
            register_layer(layer.name, module.ptr());
            const bool halves = halves_or_doubles(shape);
            return [module, halves](Inputs in) mutable {
              return halves && matrix_is_faster(in[0], in[0].size(2) / 2, module->weight)
                         ? halve_maps(in[0], module->weight)
                         : module(in[0]);
            };
          },
          [&](const TransposedConvolution& shape) -> Step {
            nn::ConvTranspose2d module(nn::ConvTranspose2dOptions(from, shape.channels, shape.kernel)
                                           .stride(shape.stride)
                                           .padding(shape.padding)
                                           .bias(false));
            register_layer(layer.name, module.ptr());
            const bool doubles = halves_or_doubles(shape);
            return [module, doubles](Inputs in) mutable {
              return doubles && matrix_is_faster(in[0], in[0].size(2), module->weight)
                         ? double_maps(in[0], module->weight)
                         : module(in[0]);
            };
          },
          [&](const BatchNorm& norm) -> Step {
            nn::BatchNorm2d module(nn::BatchNorm2dOptions(from).eps(norm.epsilon));
            register_layer(layer.name, module.ptr());
            return [module](Inputs in) mutable { return module(in[0]); };
          },
          [&](const Relu&) -> Step {
            return [in_place](Inputs in) { return in_place ? torch::Tensor(in[0]).relu_() : in[0].relu(); };
          },
          [&](const LeakyRelu& activation) -> Step {
            return [in_place, slope = activation.slope](Inputs in) {
              return F::leaky_relu(in[0], F::LeakyReLUFuncOptions().negative_slope(slope).inplace(in_place));
            };
          },
          [&](const Tanh&) -> Step { return [](Inputs in) { return in[0].tanh(); }; },
          [&](const UpsampleNearest& up) -> Step {
            const std::vector<double> scale(2, static_cast<double>(up.factor));
            return [scale](Inputs in) {
              return F::interpolate(in[0],
                                    F::InterpolateFuncOptions().scale_factor(scale).mode(torch::kNearest));
            };
          },
          [&](const Sum&) -> Step { return [](Inputs in) { return sum(in); }; },
          [&](const Concatenate&) -> Step {
            return [](Inputs in) { return torch::cat(std::vector<torch::Tensor>(in.begin(), in.end()), 1); };
          },
          [&](const GroupSpread& of) -> Step {
            return [group = of.group](Inputs in) { return spread(in[0], group); };
          },
          [&](const Input&) -> Step {
            throw Error(fmt::format("the layer {} of the network is a second input", layer.name));
          }},
      layer.operation);
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
    outputs[i] = steps_[i](inputs);
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
