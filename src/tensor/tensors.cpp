#include "tensor/tensors.h"

#include <fmt/core.h>

#include <cstring>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr std::pair<Dtype, at::ScalarType> kTypes[] = {
    {Dtype::kFloat32, at::kFloat},     {Dtype::kFloat64, at::kDouble}, {Dtype::kFloat16, at::kHalf},
    {Dtype::kBfloat16, at::kBFloat16}, {Dtype::kInt64, at::kLong},     {Dtype::kInt32, at::kInt},
    {Dtype::kInt16, at::kShort},       {Dtype::kInt8, at::kChar},      {Dtype::kUint8, at::kByte},
    {Dtype::kBool, at::kBool}};

Dtype dtype_of(at::ScalarType type) {
  for (const auto& [ours, theirs] : kTypes)
    if (theirs == type) return ours;
  throw Error(fmt::format("a tensor of type {} cannot be saved", c10::toString(type)));
}

at::ScalarType type_of(Dtype dtype) {
  for (const auto& [ours, theirs] : kTypes)
    if (ours == dtype) return theirs;
  throw Error("a tensor of an unknown type");
}

}  // namespace

std::string shape_text(const std::vector<int64_t>& shape) {
  std::vector<std::string> sizes;
  for (int64_t size : shape) sizes.push_back(std::to_string(size));
  return sizes.empty() ? "one number" : join(sizes, "x");
}

TensorData to_data(const torch::Tensor& tensor) {
  torch::Tensor plain = tensor.detach().to(torch::kCPU).contiguous();
  if (plain.is_alias_of(tensor)) plain = plain.clone();
  const auto owner = std::make_shared<torch::Tensor>(plain);
  const auto* bytes = static_cast<const uint8_t*>(plain.const_data_ptr());
  return make_tensor(dtype_of(plain.scalar_type()), plain.sizes().vec(), std::span(bytes, plain.nbytes()),
                     owner);
}

std::span<const uint8_t> bytes_of(const torch::Tensor& tensor) {
  return {static_cast<const uint8_t*>(tensor.const_data_ptr()), tensor.nbytes()};
}

torch::Tensor from_data(const TensorData& data) {
  const auto options = torch::TensorOptions(type_of(data.dtype));
  if (data.repeats())
    throw data_error(
        fmt::format("a tensor of {} repeats fewer numbers, which no checkpoint does; "
                    "save a contiguous copy of it",
                    shape_text(data.shape)));
  if (data.count() == 0) return torch::empty(data.shape, options);
  auto* begin = const_cast<uint8_t*>(data.storage.data()) + data.offset * size_of(data.dtype);
  return torch::from_blob(begin, data.shape, data.strides, options).clone(at::MemoryFormat::Contiguous);
}

}  // namespace nowhere
