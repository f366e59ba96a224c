#include "export/onnx.h"

#include <array>

#include "export/onnx_graph.h"
#include "model/tensors.h"

namespace nowhere {
namespace {

// The tensors' names in the file, in the order in which the layer holds them.
std::vector<std::string> add_tensors(OnnxGraph& graph, const Layer& layer) {
  std::vector<std::string> names;
  for (const auto* group : {&layer.parameters, &layer.buffers})
    for (const auto& [name, tensor] : *group) {
      if (tensor.scalar_type() != torch::kFloat32) continue;  // num_batches_tracked is for training
      names.push_back("main." + layer.name + "." + name);
      graph.tensor(names.back(), OnnxGraph::Element::kFloat32, tensor.sizes(), bytes_of(tensor));
    }
  return names;
}

void add_layer(OnnxGraph& graph, const Layer& layer, const std::string& output) {
  const std::vector<std::string> tensors = add_tensors(graph, layer);
  const int64_t stride = layer.stride, edge = layer.padding;
  switch (layer.kind) {
    case Layer::Kind::kGrow:  // the weight is [from,to,4,4] here and there
      graph.add("ConvTranspose", output, tensors,
                {OnnxGraph::integers("strides", {stride, stride}),
                 OnnxGraph::integers("pads", {edge, edge, edge, edge})});
      break;
    case Layer::Kind::kNormalise:  // weight, bias, mean and variance, the order that the operator wants
      graph.add("BatchNormalization", output, tensors, {OnnxGraph::number("epsilon", layer.epsilon)});
      break;
    case Layer::Kind::kRelu:
      graph.add("Relu", output);
      break;
    case Layer::Kind::kTanh:
      graph.add("Tanh", output);
      break;
  }
}

}  // namespace

void write_onnx(const std::filesystem::path& path, const Chain& chain) {
  OnnxGraph graph("generator", "z", "[N,nz] or [N,nz,1,1], standard normal");
  const std::array<int64_t, 4> shape{0, chain.nz, 1, 1};  // 0: as many as come in
  const std::array<int64_t, 1> shape_size{shape.size()};
  const auto* bytes = reinterpret_cast<const uint8_t*>(shape.data());
  graph.tensor("latent_shape", OnnxGraph::Element::kInt64, shape_size, {bytes, sizeof(shape)});
  graph.add("Reshape", "latent", {"latent_shape"});
  for (const Layer& layer : chain.layers)
    add_layer(graph, layer, &layer == &chain.layers.back() ? "pictures" : "main." + layer.name);
  graph.finish({chain.nc, chain.size, chain.size});
  graph.write(path, chain.facts);
}

}  // namespace nowhere
