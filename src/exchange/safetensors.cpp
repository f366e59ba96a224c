#include "exchange/safetensors.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/json.h"
#include "core/little_endian.h"
#include "tensor/tensors.h"

namespace nowhere {
namespace {

constexpr size_t kAlignment = 8;  // of the first tensor, and so of all: those of wider numbers come first

struct Named {
  std::string name;
  torch::Tensor tensor;
};

std::vector<Named> named_tensors(const ExportedModel& model) {
  std::vector<Named> tensors;
  const std::vector<Layer>& layers = model.network().layers();
  for (size_t i = 0; i < layers.size(); ++i)
    for (const ExportedTensor& tensor : model.tensors(i))
      tensors.push_back({layers[i].name + "." + tensor.description.name, tensor.numbers});
  std::stable_sort(tensors.begin(), tensors.end(), [](const Named& a, const Named& b) {
    return a.tensor.element_size() > b.tensor.element_size();
  });
  return tensors;
}

std::string type_name(const torch::Tensor& tensor) {
  if (tensor.scalar_type() == torch::kFloat32) return "F32";
  if (tensor.scalar_type() == torch::kInt64) return "I64";
  throw Error(fmt::format("a tensor of type {} cannot be exported", c10::toString(tensor.scalar_type())));
}

// The header's length in eight bytes, then the header: every tensor's type, shape and place behind the
// header.
std::string head_of(const std::vector<Named>& tensors, const ExportedModel& model) {
  boost::json::object facts{{"format", "pt"}}, header;  // PyTorch's names, by the format's own convention
  for (const auto& [key, value] : model.facts()) facts[key] = value;
  header["__metadata__"] = facts;
  size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const size_t end = offset + tensor.nbytes();
    header[name] = {{"dtype", type_name(tensor)},
                    {"shape", boost::json::array(tensor.sizes().begin(), tensor.sizes().end())},
                    {"data_offsets", boost::json::array{offset, end}}};
    offset = end;
  }
  std::string text = boost::json::serialize(header);
  while (text.size() % kAlignment != 0) text += ' ';
  std::string head;
  append_little_endian(head, uint64_t{text.size()});
  return head + text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const ExportedModel& model) {
  const std::vector<Named> tensors = named_tensors(model);
  const std::string head = head_of(tensors, model);
  AtomicFile file(path);
  file.write(head.data(), head.size());
  for (const Named& named : tensors) {
    const auto bytes = bytes_of(named.tensor);
    file.write(bytes.data(), bytes.size());
  }
  file.commit();
}

}  // namespace nowhere
