#include "export/torchscript.h"

#include <fmt/core.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/script.h>

#include <memory>

#include "archive/durable_file.h"
#include "core/json.h"

namespace nowhere {
namespace {

namespace jit = torch::jit;

using Unit = std::shared_ptr<jit::CompilationUnit>;

// Each layer is a class of its own, of which the unit makes the names distinct.
jit::Module make_module(const std::string& name, const Unit& unit) {
  jit::Module module("__torch__.nowhere." + name, unit, /*shouldMangle=*/true);
  module.register_attribute("training", c10::BoolType::get(), false);
  return module;
}

jit::Module make_layer(const Layer& layer, const Unit& unit) {
  const bool grows = layer.kind == Layer::Kind::kGrow;
  jit::Module module = make_module(grows ? "ConvTranspose2d" : "BatchNorm2d", unit);
  for (const auto& [name, tensor] : layer.parameters)
    module.register_parameter(name, tensor, /*is_buffer=*/false);
  for (const auto& [name, tensor] : layer.buffers) module.register_buffer(name, tensor);
  // A batch norm never trains here: its statistics are used as they are.
  const std::string call =
      grows ? fmt::format("torch.conv_transpose2d(x, self.weight, None, [{0}, {0}], [{1}, {1}])",
                          layer.stride, layer.padding)
            : fmt::format(
                  "torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, "
                  "False, 0.0, {}, True)",
                  layer.epsilon);
  module.define("def forward(self, x: Tensor) -> Tensor:\n    return " + call + "\n");
  return module;
}

jit::Module make_main(const Chain& chain, const Unit& unit) {
  jit::Module main = make_module("Sequential", unit);
  std::string forward = "def forward(self, x: Tensor) -> Tensor:\n";
  for (const Layer& layer : chain.layers) {
    if (layer.kind == Layer::Kind::kRelu) {
      forward += "    x = torch.relu(x)\n";
    } else if (layer.kind == Layer::Kind::kTanh) {
      forward += "    x = torch.tanh(x)\n";
    } else {
      main.register_module(layer.name, make_layer(layer, unit));
      forward += fmt::format("    x = getattr(self, \"{}\").forward(x)\n", layer.name);
    }
  }
  main.define(forward + "    return x\n");
  return main;
}

jit::Module make_generator(const Chain& chain) {
  const auto unit = std::make_shared<jit::CompilationUnit>();
  jit::Module generator = make_module("Generator", unit);
  generator.register_module("main", make_main(chain, unit));
  generator.define(R"(
def forward(self, z: Tensor) -> Tensor:
    if z.dim() == 2:
        z = z.unsqueeze(-1).unsqueeze(-1)
    return self.main.forward(z)
)");
  return generator;
}

}  // namespace

void write_torchscript(const std::filesystem::path& path, const Chain& chain) {
  boost::json::object facts;
  for (const auto& [key, value] : chain.facts) facts[key] = value;
  DurableFile file(path);
  // LibTorch's writer ends an archive in its destructor too, where a failure would end the process: it is told that all
  // went well, and commit() says what did not.
  const auto write = [&](const void* data, size_t size) {
    file.write(data, size);
    return size;
  };
  jit::ExportModule(make_generator(chain), write, {{"nowhere.json", pretty(facts)}});
  file.commit();
}

}  // namespace nowhere
