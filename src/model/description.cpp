#include "model/description.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/overloaded.h"

namespace nowhere {
namespace {

using Role = TensorDescription::Role;
using Start = TensorDescription::Start;

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  throw Error(fmt::format("the layer {} of the network {}", name, reason));
}

MapShape convolved(const Convolution& layer, const MapShape& in, const std::string& name) {
  const int64_t padding = 2 * layer.padding + layer.end_padding;
  const auto side = [&](int64_t size) { return (size + padding - layer.kernel) / layer.stride + 1; };
  if (in.height + padding < layer.kernel) refuse(name, "has a kernel larger than its input");
  if (in.channels % layer.groups != 0 || layer.channels % layer.groups != 0)
    refuse(name, "has groups that do not divide its channels");
  return {layer.channels, side(in.height), side(in.width)};
}

MapShape grown(const TransposedConvolution& layer, const MapShape& in) {
  const auto side = [&](int64_t size) {
    return (size - 1) * layer.stride - 2 * layer.padding + layer.kernel;
  };
  return {layer.channels, side(in.height), side(in.width)};
}

MapShape concatenated(const std::vector<MapShape>& inputs, const std::string& name) {
  MapShape joined = inputs.front();
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].height != joined.height || inputs[i].width != joined.width)
      refuse(name, "joins maps of different sizes");
    joined.channels += inputs[i].channels;
  }
  return joined;
}

MapShape shape_of(const std::string& name, const Operation& operation, const std::vector<MapShape>& inputs) {
  const bool joins = std::holds_alternative<Sum>(operation) || std::holds_alternative<Concatenate>(operation);
  if (inputs.empty() || (!joins && inputs.size() != 1)) refuse(name, "has the wrong number of inputs");
  const MapShape& in = inputs.front();
  return std::visit(
      Overloaded{[&](const Input&) -> MapShape { refuse(name, "is a second input"); },
                 [&](const Convolution& layer) { return convolved(layer, in, name); },
                 [&](const TransposedConvolution& layer) { return grown(layer, in); },
                 [&](const UpsampleNearest& layer) {
                   return MapShape{in.channels, in.height * layer.factor, in.width * layer.factor};
                 },
                 [&](const AveragePool& pool) {
                   if (in.height % pool.factor != 0 || in.width % pool.factor != 0)
                     refuse(name, "pools maps whose sides are no multiple of its factor");
                   return MapShape{in.channels, in.height / pool.factor, in.width / pool.factor};
                 },
                 [&](const SpatialMean&) {
                   return MapShape{in.channels, 1, 1};
                 },
                 [&](const Concatenate&) { return concatenated(inputs, name); },
                 [&](const Sum&) {
                   if (std::ranges::any_of(inputs, [&](const MapShape& shape) { return shape != in; }))
                     refuse(name, "sums maps of different shapes");
                   return in;
                 },
                 [&](const GroupSpread&) {
                   return MapShape{1, in.height, in.width};
                 },
                 [&](const auto&) { return in; }},
      operation);
}

}  // namespace

std::string_view name_of(const Operation& operation) {
  return std::visit(
      Overloaded{[](const Input&) { return "input"; }, [](const Convolution&) { return "convolution"; },
                 [](const TransposedConvolution&) { return "transposed convolution"; },
                 [](const BatchNorm&) { return "batch norm"; }, [](const Relu&) { return "ReLU"; },
                 [](const LeakyRelu&) { return "leaky ReLU"; }, [](const Relu6&) { return "ReLU6"; },
                 [](const Tanh&) { return "tanh"; }, [](const LowPass&) { return "low-pass filter"; },
                 [](const AveragePool&) { return "average pooling"; },
                 [](const SpatialMean&) { return "spatial mean"; },
                 [](const UnitScale&) { return "scaling"; },
                 [](const UpsampleNearest&) { return "nearest upsampling"; },
                 [](const Sum&) { return "sum"; }, [](const Concatenate&) { return "concatenation"; },
                 [](const GroupSpread&) { return "spread of a group"; }},
      operation);
}

int64_t TensorDescription::count() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies());
}

std::vector<TensorDescription> tensors_of(const Layer& layer, const MapShape& in) {
  if (const auto* convolution = layer.as<Convolution>()) {
    const int64_t side = convolution->kernel, out = layer.shape.channels,
                  inner = in.channels / convolution->groups;
    const Start start = convolution->start == WeightStart::kNarrow ? Start::kWeight : Start::kFanIn;
    // The names of PyTorch's own spectral norm.
    const bool normed = convolution->spectral_norm;
    std::vector<TensorDescription> tensors = {
        {normed ? "weight_orig" : "weight", {out, inner, side, side}, Role::kParameter, start}};
    if (convolution->bias) tensors.push_back({"bias", {out}, Role::kParameter, Start::kZero});
    if (normed) {
      tensors.push_back({"weight_u", {out}, Role::kBuffer, Start::kDirection});
      tensors.push_back({"weight_v", {inner * side * side}, Role::kBuffer, Start::kDirection});
    }
    return tensors;
  }
  if (const auto* transposed = layer.as<TransposedConvolution>()) {
    const int64_t side = transposed->kernel;
    return {{"weight", {in.channels, layer.shape.channels, side, side}, Role::kParameter, Start::kWeight}};
  }
  if (layer.as<UnitScale>() != nullptr) return {{"deviation", {1}, Role::kBuffer, Start::kZero}};
  if (layer.as<BatchNorm>() == nullptr) return {};
  const int64_t channels = in.channels;
  return {{"weight", {channels}, Role::kParameter, Start::kScale},
          {"bias", {channels}, Role::kParameter, Start::kZero},
          {"running_mean", {channels}, Role::kBuffer, Start::kZero},
          {"running_var", {channels}, Role::kBuffer, Start::kOne},
          {"num_batches_tracked", {}, Role::kCounter, Start::kZero}};
}

int64_t multiplications_of(const Layer& layer, const MapShape& in) {
  if (const auto* convolution = layer.as<Convolution>())
    return layer.shape.count() * in.channels / convolution->groups * convolution->kernel *
           convolution->kernel;
  if (const auto* transposed = layer.as<TransposedConvolution>())
    return in.count() * layer.shape.channels * transposed->kernel * transposed->kernel;
  return 0;
}

NetworkDescription::NetworkDescription(MapShape input) : layers_{{"input", Input(), {}, input}} {}

size_t NetworkDescription::add(std::string name, Operation operation) {
  return add(std::move(name), operation, {last()});
}

size_t NetworkDescription::add(std::string name, Operation operation, std::vector<size_t> inputs) {
  std::vector<MapShape> shapes;
  for (const size_t input : inputs) {
    if (input >= layers_.size()) refuse(name, "takes a layer that comes later");
    shapes.push_back(layers_[input].shape);
  }
  if (std::ranges::find(layers_, name, &Layer::name) != layers_.end()) refuse(name, "is there twice");
  const MapShape shape = shape_of(name, operation, shapes);
  layers_.push_back({std::move(name), operation, std::move(inputs), shape});
  return last();
}

size_t NetworkDescription::consumers(size_t layer) const {
  size_t count = 0;
  for (const Layer& other : layers_) count += static_cast<size_t>(std::ranges::count(other.inputs, layer));
  return count;
}

bool NetworkDescription::in_place(size_t number) const {
  const Layer& layer = layers_[number];
  if (layer.as<Relu>() == nullptr && layer.as<LeakyRelu>() == nullptr && layer.as<Relu6>() == nullptr)
    return false;
  const Layer& before = layers_[layer.inputs.front()];
  // The gradients of these need their inputs, not their outputs.
  const bool overwritable = before.as<Convolution>() != nullptr ||
                            before.as<TransposedConvolution>() != nullptr ||
                            before.as<BatchNorm>() != nullptr || before.as<Sum>() != nullptr;
  return overwritable && consumers(layer.inputs.front()) == 1;
}

std::vector<TensorDescription> NetworkDescription::tensors() const {
  std::vector<TensorDescription> parameters, buffers;
  for (const Layer& layer : layers_) {
    if (layer.inputs.empty()) continue;
    for (TensorDescription& tensor : tensors_of(layer, input_of(layer))) {
      tensor.name = layer.name + "." + tensor.name;
      (tensor.role == Role::kParameter ? parameters : buffers).push_back(std::move(tensor));
    }
  }
  std::ranges::move(buffers, std::back_inserter(parameters));
  return parameters;
}

int64_t NetworkDescription::parameters() const {
  int64_t count = 0;
  for (const TensorDescription& tensor : tensors())
    if (tensor.role == Role::kParameter) count += tensor.count();
  return count;
}

int64_t NetworkDescription::multiplications() const {
  int64_t count = 0;
  for (const Layer& layer : layers_)
    if (!layer.inputs.empty()) count += multiplications_of(layer, input_of(layer));
  return count;
}

int64_t NetworkDescription::activations() const {
  int64_t count = 0;
  for (size_t i = 0; i < layers_.size(); ++i)
    if (!in_place(i)) count += layers_[i].shape.count();
  return count;
}

}  // namespace nowhere
