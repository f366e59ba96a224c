#include "exchange/torchscript.h"

#include <fmt/core.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/script.h>

#include <memory>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/json.h"
#include "core/overloaded.h"
#include "core/text.h"

namespace nowhere {
namespace {

namespace jit = torch::jit;

using Unit = std::shared_ptr<jit::CompilationUnit>;

// Every module is a class of its own; the unit makes their names distinct.
jit::Module make_module(const std::string& name, const Unit& unit) {
  jit::Module module("__torch__.nowhere." + name, unit, /*shouldMangle=*/true);
  module.register_attribute("training", c10::BoolType::get(), false);
  return module;
}

template <class Kind>
std::string convolution_call(const char* function, const Kind& layer) {
  return fmt::format("torch.{0}(x, self.weight, None, [{1}, {1}], [{2}, {2}])", function, layer.stride,
                     layer.padding);
}

// The class and the forward call of a layer that has tensors.
std::pair<std::string, std::string> layer_with_tensors(const Layer& layer) {
  if (const auto* convolution = layer.as<Convolution>())
    return {"Conv2d", convolution_call("conv2d", *convolution)};
  if (const auto* transposed = layer.as<TransposedConvolution>())
    return {"ConvTranspose2d", convolution_call("conv_transpose2d", *transposed)};
  if (const auto* norm = layer.as<BatchNorm>())  // it never trains here: its statistics are used as they are
    return {"BatchNorm2d",
            fmt::format("torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, "
                        "False, 0.0, {}, True)",
                        norm->epsilon)};
  throw Error(fmt::format("the layer {} ({}) cannot be written as TorchScript", layer.name,
                          name_of(layer.operation)));
}

jit::Module make_layer(const Layer& layer, const std::vector<ExportedTensor>& tensors, const Unit& unit) {
  const auto [type, call] = layer_with_tensors(layer);
  jit::Module module = make_module(type, unit);
  for (const ExportedTensor& tensor : tensors)
    if (tensor.description.role == TensorDescription::Role::kParameter)
      module.register_parameter(tensor.description.name, tensor.numbers, /*is_buffer=*/false);
    else
      module.register_buffer(tensor.description.name, tensor.numbers);
  module.define("def forward(self, x: Tensor) -> Tensor:\n    return " + call + "\n");
  return module;
}

// What a layer without tensors makes of the variables of its inputs.
std::string expression(const Layer& layer, const std::vector<std::string>& inputs) {
  const std::string& x = inputs.front();
  return std::visit(
      Overloaded{[&](const Relu&) { return fmt::format("torch.relu({})", x); },
                 [&](const LeakyRelu& activation) {
                   return fmt::format("torch.nn.functional.leaky_relu({}, {})", x, activation.slope);
                 },
                 [&](const Tanh&) { return fmt::format("torch.tanh({})", x); },
                 [&](const LowPass&) {
                   return fmt::format(
                       "torch.avg_pool2d(torch.avg_pool2d(torch.replication_pad2d({}, [1, 1, 1, 1]), "
                       "[2, 2], [1, 1]), [2, 2], [1, 1])",
                       x);
                 },
                 [&](const UpsampleNearest& up) {
                   return fmt::format("torch.upsample_nearest2d({}, None, [{:.1f}, {:.1f}])", x,
                                      static_cast<double>(up.factor), static_cast<double>(up.factor));
                 },
                 [&](const Sum&) { return join(inputs, " + "); },
                 [&](const Concatenate&) { return fmt::format("torch.cat([{}], 1)", join(inputs, ", ")); },
                 [&](const auto&) -> std::string {
                   throw Error(fmt::format("the layer {} ({}) cannot be written as TorchScript", layer.name,
                                           name_of(layer.operation)));
                 }},
      layer.operation);
}

// Modules by the dots in the layers' names: "main.0" is the child "0" of the child "main".
class ModuleTree {
 public:
  explicit ModuleTree(Unit unit) : unit_(std::move(unit)), root_{make_module("Generator", unit_), {}} {}

  jit::Module& root() { return root_.module; }

  void add(const std::string& name, const jit::Module& module) {
    Node* parent = &root_;
    size_t begin = 0;
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
      parent = &child(*parent, name.substr(begin, dot - begin));
      begin = dot + 1;
    }
    parent->module.register_module(name.substr(begin), module);
  }

  // "getattr(getattr(self, "main"), "0")"
  static std::string path(const std::string& name) {
    std::string text = "self";
    size_t begin = 0;
    while (begin <= name.size()) {
      const size_t dot = std::min(name.find('.', begin), name.size());
      text = fmt::format("getattr({}, \"{}\")", text, name.substr(begin, dot - begin));
      begin = dot + 1;
    }
    return text;
  }

 private:
  struct Node {
    jit::Module module;
    std::map<std::string, std::unique_ptr<Node>> children;
  };

  Node& child(Node& parent, const std::string& name) {
    std::unique_ptr<Node>& found = parent.children[name];
    if (found == nullptr) {
      found = std::make_unique<Node>(Node{make_module("Layers", unit_), {}});
      parent.module.register_module(name, found->module);
    }
    return *found;
  }

  Unit unit_;
  Node root_;
};

// A module's type is settled once its parent holds it, so leaves are made first and the tree around them
// afterwards; the forward function, which names them all, comes last.
jit::Module make_generator(const ExportedModel& model) {
  ModuleTree tree(std::make_shared<jit::CompilationUnit>());
  const std::vector<Layer>& layers = model.network().layers();
  std::string forward =
      "def forward(self, z: Tensor) -> Tensor:\n"
      "    if z.dim() == 2:\n"
      "        z = z.unsqueeze(-1).unsqueeze(-1)\n"
      "    x0 = z\n";
  const auto variable = [](size_t layer) { return fmt::format("x{}", layer); };
  const Unit unit = tree.root()._ivalue()->compilation_unit();
  for (size_t i = 1; i < layers.size(); ++i) {
    std::vector<std::string> inputs;
    for (const size_t input : layers[i].inputs) inputs.push_back(variable(input));
    const bool has_tensors = !model.tensors(i).empty();
    if (has_tensors) tree.add(layers[i].name, make_layer(layers[i], model.tensors(i), unit));
    forward += fmt::format(
        "    {} = {}\n", variable(i),
        has_tensors ? fmt::format("{}.forward({})", ModuleTree::path(layers[i].name), inputs.front())
                    : expression(layers[i], inputs));
  }
  tree.root().define(forward + fmt::format("    return {}\n", variable(layers.size() - 1)));
  return tree.root();
}

}  // namespace

void write_torchscript(const std::filesystem::path& path, const ExportedModel& model) {
  boost::json::object facts;
  for (const auto& [key, value] : model.facts()) facts[key] = value;
  AtomicFile file(path);
  // LibTorch's writer ends an archive in its destructor too, where a failure would end the process: it is
  // told that all went well, and commit() reports what did not.
  const auto write = [&](const void* data, size_t size) {
    file.write(data, size);
    return size;
  };
  jit::ExportModule(make_generator(model), write, {{"nowhere.json", pretty(facts)}});
  file.commit();
}

}  // namespace nowhere
