// The contents of a .pt file as plain values: a tree of Python's basic types, in which tensors refer to bytes
// elsewhere.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"

namespace nowhere {

enum class Dtype { kFloat32, kFloat64, kFloat16, kBfloat16, kInt64, kInt32, kInt16, kInt8, kUint8, kBool };

int64_t size_of(Dtype dtype);           // bytes of one element
std::string_view name_of(Dtype dtype);  // as PyTorch writes it: "float32"

// A view on a storage that several tensors may share. `owner` keeps the storage alive; without one, the maker
// of the tensor does. The number of elements can be larger than the storage (a stride of 0 repeats): compare
// the shape with what is wanted before copying one.
struct TensorData {
  Dtype dtype = Dtype::kFloat32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;      // in elements, as many as `shape`
  int64_t offset = 0;                // in elements
  std::span<const uint8_t> storage;  // little-endian, all of it
  std::shared_ptr<const void> owner;

  int64_t count() const;                   // elements; 1 without dimensions
  bool repeats() const;                    // whether it has more elements than its storage
  std::span<const uint8_t> bytes() const;  // the elements in place; only for a contiguous tensor
};

// The same limit as PyTorch's.
inline constexpr size_t kMaxDimensions = 64;

// Fails unless every element lies inside the storage and no product of sizes overflows. Readers have checked
// what they return.
Result<void> check_tensor(const TensorData& tensor);

// A contiguous tensor that owns its bytes, or that refers to those of `owner`.
TensorData make_tensor(Dtype dtype, std::vector<int64_t> shape, std::vector<uint8_t> bytes);
TensorData make_tensor(Dtype dtype, std::vector<int64_t> shape, std::span<const uint8_t> bytes,
                       std::shared_ptr<const void> owner);

class Value;

using Bytes = std::vector<uint8_t>;

struct List {
  std::vector<Value> items;
};

struct Tuple {
  std::vector<Value> items;
};

// In the order of insertion, as in Python.
struct Dict {
  std::vector<std::pair<Value, Value>> entries;

  const Value* find(std::string_view key) const;  // nullptr when it is not there
  const Value* find(int64_t key) const;
  void add(Value key, Value value);  // at the end; the key must be new
};

class Value {
 public:
  using Any =
      std::variant<std::monostate, bool, int64_t, double, std::string, Bytes, List, Tuple, Dict, TensorData>;

  Value() = default;  // None
  Value(bool boolean) : any_(boolean) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Value(T integer) : any_(static_cast<int64_t>(integer)) {}
  Value(double number) : any_(number) {}
  Value(const char* text) : any_(std::string(text)) {}
  Value(std::string_view text) : any_(std::string(text)) {}
  Value(std::string text) : any_(std::move(text)) {}
  Value(Bytes bytes) : any_(std::move(bytes)) {}
  Value(List list);
  Value(Tuple tuple);
  Value(Dict dict);
  Value(TensorData tensor) : any_(std::move(tensor)) {}

  // nullptr or nothing when the value is of another kind.
  bool is_none() const { return std::holds_alternative<std::monostate>(any_); }
  std::optional<bool> boolean() const;
  std::optional<int64_t> integer() const;
  std::optional<double> number() const;  // of an integer too
  const std::string* text() const { return std::get_if<std::string>(&any_); }
  const Bytes* bytes() const { return std::get_if<Bytes>(&any_); }
  const std::vector<Value>* items() const;  // of a list or a tuple
  const List* list() const { return std::get_if<List>(&any_); }
  const Tuple* tuple() const { return std::get_if<Tuple>(&any_); }
  const Dict* dict() const { return std::get_if<Dict>(&any_); }
  const TensorData* tensor() const { return std::get_if<TensorData>(&any_); }
  const Value* find(std::string_view key) const;  // of a dict

  std::string_view kind() const;  // for messages: "a dict"

 private:
  Any any_;
};

// How deep values may be nested in a file: reader and writer are recursive.
inline constexpr int kMaxValueDepth = 200;

}  // namespace nowhere
