#include "model/state_dict.h"

#include <fmt/core.h>

#include <map>

#include "core/error.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

std::string without_module(std::string_view name) {
  constexpr std::string_view kPrefix = "module.";
  while (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return std::string(name);
}

std::map<std::string, const TensorData*> tensors_in(const Value& state) {
  std::map<std::string, const TensorData*> tensors;
  if (state.dict() == nullptr) return tensors;
  for (const auto& [key, value] : state.dict()->entries)
    if (key.text() != nullptr && value.tensor() != nullptr)
      tensors[without_module(*key.text())] = value.tensor();
  return tensors;
}

}  // namespace

Dict state_dict(const NetworkImpl& network) {
  const auto parameters = network.named_parameters(), buffers = network.named_buffers();
  Dict state;
  for (const TensorDescription& tensor : network.tensors())
    state.add(
        tensor.name,
        to_data((tensor.role == TensorDescription::Role::kParameter ? parameters : buffers)[tensor.name]));
  return state;
}

TensorShapes shapes_of(const Value* state) {
  TensorShapes shapes;
  if (state == nullptr) return shapes;
  for (const auto& [name, tensor] : tensors_in(*state)) shapes[name] = tensor->shape;
  return shapes;
}

void check_state_dict(const std::vector<TensorDescription>& expected, const Value& state,
                      const std::string& where) {
  if (state.dict() == nullptr)
    throw data_error(fmt::format("{} holds {} where weights are expected", where, state.kind()));
  auto tensors = tensors_in(state);
  for (const TensorDescription& tensor : expected) {
    const auto found = tensors.find(tensor.name);
    if (found == tensors.end())
      throw data_error(fmt::format("{}: the tensor {} is missing", where, tensor.name));
    if (found->second->shape != tensor.shape)
      throw data_error(
          fmt::format("{}: the tensor {} is {}, but this configuration wants {}; "
                      "take the configuration it was trained with",
                      where, tensor.name, shape_text(found->second->shape), shape_text(tensor.shape)));
    if (found->second->repeats())
      throw data_error(
          fmt::format("{}: the tensor {} is {}, but the file holds fewer numbers and repeats them; "
                      "save a contiguous copy of it",
                      where, tensor.name, shape_text(tensor.shape)));
    tensors.erase(found);
  }
  if (!tensors.empty())
    throw data_error(
        fmt::format("{}: the tensor {} has no place in this network; "
                    "take the configuration it was trained with",
                    where, tensors.begin()->first));
}

void load_state_dict(NetworkImpl& network, const Value& state, const std::string& where) {
  check_state_dict(network.tensors(), state, where);
  const torch::NoGradGuard no_gradients;
  const auto tensors = tensors_in(state);
  for (const auto& group : {network.named_parameters(), network.named_buffers()})
    for (const auto& item : group) torch::Tensor(item.value()).copy_(from_data(*tensors.at(item.key())));
}

size_t load_what_fits(NetworkImpl& network, const Value& state) {
  const torch::NoGradGuard no_gradients;
  const auto tensors = tensors_in(state);
  size_t taken = 0;
  for (const auto& group : {network.named_parameters(), network.named_buffers()})
    for (const auto& item : group) {
      const auto found = tensors.find(item.key());
      if (found == tensors.end() || found->second->shape != item.value().sizes().vec() ||
          found->second->repeats())
        continue;
      torch::Tensor(item.value()).copy_(from_data(*found->second));
      if (item.value().is_floating_point()) ++taken;
    }
  return taken;
}

}  // namespace nowhere
