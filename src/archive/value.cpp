#include "archive/value.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace nowhere {
namespace {

struct DtypeRow {
  std::string_view name;
  int64_t size;
};

// In the order of Dtype.
constexpr std::array<DtypeRow, 10> kDtypes = {{{"float32", 4},
                                               {"float64", 8},
                                               {"float16", 2},
                                               {"bfloat16", 2},
                                               {"int64", 8},
                                               {"int32", 4},
                                               {"int16", 2},
                                               {"int8", 1},
                                               {"uint8", 1},
                                               {"bool", 1}}};

std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0; step *= std::max<int64_t>(shape[i], 1)) strides[i] = step;
  return strides;
}

Failure outside(const TensorData& tensor, std::string_view what) {
  // As many of them as fit on a line.
  const auto head = [](const std::vector<int64_t>& sizes) {
    return std::span(sizes).first(std::min<size_t>(sizes.size(), 8));
  };
  return Failure{fmt::format("a tensor {}: shape [{}], strides [{}], offset {}, storage of {} x {}", what,
                             fmt::join(head(tensor.shape), ", "), fmt::join(head(tensor.strides), ", "),
                             tensor.offset, std::ssize(tensor.storage) / size_of(tensor.dtype),
                             name_of(tensor.dtype))};
}

}  // namespace

int64_t size_of(Dtype dtype) {
  return kDtypes[static_cast<size_t>(dtype)].size;
}

std::string_view name_of(Dtype dtype) {
  return kDtypes[static_cast<size_t>(dtype)].name;
}

int64_t TensorData::count() const {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

bool TensorData::repeats() const {
  return count() > std::ssize(storage) / size_of(dtype);
}

std::span<const uint8_t> TensorData::bytes() const {
  if (count() == 0) return {};
  const int64_t size = size_of(dtype);
  return storage.subspan(static_cast<size_t>(offset * size), static_cast<size_t>(count() * size));
}

Result<void> check_tensor(const TensorData& tensor) {
  if (tensor.shape.size() != tensor.strides.size())
    return outside(tensor, "does not have one stride for every size");
  if (tensor.shape.size() > kMaxDimensions) return outside(tensor, "has too many dimensions");
  const auto negative = [](int64_t number) { return number < 0; };
  if (tensor.offset < 0 || std::ranges::any_of(tensor.shape, negative) ||
      std::ranges::any_of(tensor.strides, negative))
    return outside(tensor, "has a negative size");
  const int64_t room = std::ssize(tensor.storage) / size_of(tensor.dtype);
  // A dimension of 0 must not hide others whose product overflows: callers may multiply in any order.
  int64_t bytes = size_of(tensor.dtype);
  int64_t last = tensor.offset;  // the furthest element
  bool empty = false;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    int64_t reach = 0;
    const int64_t size = tensor.shape[i];
    if (size == 0) empty = true;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes) ||
        __builtin_mul_overflow(std::max<int64_t>(size, 1) - 1, tensor.strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return outside(tensor, "is larger than any memory");
  }
  if (empty ? tensor.offset > room : last >= room) return outside(tensor, "reaches outside its storage");
  return {};
}

TensorData make_tensor(Dtype dtype, std::vector<int64_t> shape, std::vector<uint8_t> bytes) {
  const auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  return make_tensor(dtype, std::move(shape), *owner, owner);
}

TensorData make_tensor(Dtype dtype, std::vector<int64_t> shape, std::span<const uint8_t> bytes,
                       std::shared_ptr<const void> owner) {
  TensorData tensor{.dtype = dtype, .shape = std::move(shape), .storage = bytes, .owner = std::move(owner)};
  tensor.strides = contiguous_strides(tensor.shape);
  return tensor;
}

const Value* Dict::find(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if (const std::string* text = name.text(); text != nullptr && *text == key) return &value;
  return nullptr;
}

const Value* Dict::find(int64_t key) const {
  for (const auto& [name, value] : entries)
    if (name.integer() == key) return &value;
  return nullptr;
}

void Dict::add(Value key, Value value) {
  entries.emplace_back(std::move(key), std::move(value));
}

Value::Value(List list) : any_(std::move(list)) {}
Value::Value(Tuple tuple) : any_(std::move(tuple)) {}
Value::Value(Dict dict) : any_(std::move(dict)) {}

std::optional<bool> Value::boolean() const {
  const bool* found = std::get_if<bool>(&any_);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<int64_t> Value::integer() const {
  const int64_t* found = std::get_if<int64_t>(&any_);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<double> Value::number() const {
  if (const double* found = std::get_if<double>(&any_)) return *found;
  if (const int64_t* found = std::get_if<int64_t>(&any_)) return static_cast<double>(*found);
  return std::nullopt;
}

const std::vector<Value>* Value::items() const {
  if (const List* found = list()) return &found->items;
  if (const Tuple* found = tuple()) return &found->items;
  return nullptr;
}

const Value* Value::find(std::string_view key) const {
  const Dict* found = dict();
  return found != nullptr ? found->find(key) : nullptr;
}

std::string_view Value::kind() const {
  // In the order of Any.
  constexpr std::array<std::string_view, 10> kKinds = {"None",  "a bool", "an int",  "a float", "a str",
                                                       "bytes", "a list", "a tuple", "a dict",  "a tensor"};
  static_assert(kKinds.size() == std::variant_size_v<Any>);
  return kKinds[any_.index()];
}

}  // namespace nowhere
