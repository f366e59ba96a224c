#include "exchange/onnx.h"

#include <fmt/core.h>

#include <array>

#include "core/error.h"
#include "core/overloaded.h"
#include "exchange/onnx_graph.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

using Attributes = std::vector<ProtoMessage>;

struct Operator {
  std::string name;
  Attributes attributes = {};
};

// Both kinds of convolution have the same attributes, and their weights are laid out as LibTorch's.
template <class Kind>
Attributes convolution_attributes(const Kind& layer) {
  const int64_t edge = layer.padding;
  return {OnnxGraph::integers("strides", {layer.stride, layer.stride}),
          OnnxGraph::integers("pads", {edge, edge, edge, edge})};
}

Operator operator_for(const Layer& layer) {
  return std::visit(
      Overloaded{[](const Convolution& shape) {
                   return Operator{"Conv", convolution_attributes(shape)};
                 },
                 [](const TransposedConvolution& shape) {
                   return Operator{"ConvTranspose", convolution_attributes(shape)};
                 },
                 [](const BatchNorm& norm) {
                   return Operator{"BatchNormalization", {OnnxGraph::number("epsilon", norm.epsilon)}};
                 },
                 [](const Relu&) { return Operator{"Relu"}; },
                 [](const LeakyRelu& activation) {
                   return Operator{"LeakyRelu", {OnnxGraph::number("alpha", activation.slope)}};
                 },
                 [](const Tanh&) { return Operator{"Tanh"}; },
                 [](const UpsampleNearest&) {
                   return Operator{"Resize",
                                   {OnnxGraph::text("mode", "nearest"),
                                    OnnxGraph::text("coordinate_transformation_mode", "asymmetric"),
                                    OnnxGraph::text("nearest_mode", "floor")}};
                 },
                 [](const Sum&) { return Operator{"Sum"}; },
                 [](const Concatenate&) {
                   return Operator{"Concat", {OnnxGraph::integer("axis", 1)}};
                 },
                 [&](const auto&) -> Operator {
                   throw Error(fmt::format("the layer {} ({}) cannot be written as ONNX", layer.name,
                                           name_of(layer.operation)));
                 }},
      layer.operation);
}

template <class Number, size_t N>
void add_constant(OnnxGraph& graph, const std::string& name, OnnxGraph::Element type,
                  const std::array<Number, N>& numbers) {
  const std::array<int64_t, 1> shape{N};
  graph.tensor(name, type, shape, {reinterpret_cast<const uint8_t*>(numbers.data()), sizeof(numbers)});
}

// What the operator takes behind the outputs of other layers: its tensors, in the order in which it wants
// them.
std::vector<std::string> add_tensors(OnnxGraph& graph, const Layer& layer,
                                     const std::vector<ExportedTensor>& tensors) {
  std::vector<std::string> names;
  for (const ExportedTensor& tensor : tensors) {
    if (tensor.description.role == TensorDescription::Role::kCounter) continue;  // for training only
    names.push_back(layer.name + "." + tensor.description.name);
    graph.tensor(names.back(), OnnxGraph::Element::kFloat32, tensor.description.shape,
                 bytes_of(tensor.numbers));
  }
  return names;
}

// Two means of neighbours over a picture whose edges are repeated. `edges` lives as long as the graph.
void add_low_pass(OnnxGraph& graph, const std::string& name, const std::string& input,
                  const std::string& output, const std::array<int64_t, 8>& edges) {
  const Attributes pairs = {OnnxGraph::integers("kernel_shape", {2, 2}),
                            OnnxGraph::integers("strides", {1, 1})};
  add_constant(graph, name + ".edges", OnnxGraph::Element::kInt64, edges);
  graph.add("Pad", name + ".wide", {input, name + ".edges"}, {OnnxGraph::text("mode", "edge")});
  graph.add("AveragePool", name + ".half", {name + ".wide"}, pairs);
  graph.add("AveragePool", output, {name + ".half"}, pairs);
}

}  // namespace

void write_onnx(const std::filesystem::path& path, const ExportedModel& model) {
  const std::vector<Layer>& layers = model.network().layers();
  OnnxGraph graph("generator", "z", "[N,nz] or [N,nz,1,1], standard normal");
  const std::array<int64_t, 4> latent_shape{0, model.network().input().channels, 1,
                                            1};  // 0: as many as come in
  add_constant(graph, "latent_shape", OnnxGraph::Element::kInt64, latent_shape);
  graph.add("Reshape", "latent", {"z", "latent_shape"});
  const auto output_of = [&](size_t layer) {
    return layer == 0 ? "latent" : layer + 1 == layers.size() ? "pictures" : layers[layer].name;
  };
  const std::array<int64_t, 8> edges{0, 0, 1, 1, 0, 0, 1, 1};  // one place on each side of height and width
  std::vector<std::array<float, 4>> scales;                    // outlive the writing
  scales.reserve(layers.size());
  for (size_t i = 1; i < layers.size(); ++i) {
    std::vector<std::string> inputs;
    for (const size_t input : layers[i].inputs) inputs.push_back(output_of(input));
    for (std::string& name : add_tensors(graph, layers[i], model.tensors(i)))
      inputs.push_back(std::move(name));
    if (const auto* up = layers[i].as<UpsampleNearest>()) {
      const auto factor = static_cast<float>(up->factor);
      scales.push_back({1, 1, factor, factor});
      add_constant(graph, layers[i].name + ".scales", OnnxGraph::Element::kFloat32, scales.back());
      inputs.insert(inputs.end(), {"", layers[i].name + ".scales"});  // no region of interest
    }
    if (layers[i].as<LowPass>() != nullptr) {
      add_low_pass(graph, layers[i].name, inputs.front(), output_of(i), edges);
      continue;
    }
    const Operator op = operator_for(layers[i]);
    graph.add(op.name, output_of(i), inputs, op.attributes);
  }
  const MapShape& picture = model.network().output();
  graph.finish("pictures", {picture.channels, picture.height, picture.width});
  graph.write(path, model.facts());
}

}  // namespace nowhere
