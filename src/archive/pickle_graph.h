// What a pickle builds while it is read: objects that refer to each other by number. Python's objects may be
// shared, may grow after they were shared, and may contain themselves; numbers allow all of that without
// leaks. At the end the graph is unfolded into a tree of values, within limits. Nothing is copied before
// that: a pickle can refer to the same large object a million times, in a few bytes each.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "archive/pickle_format.h"
#include "archive/value.h"
#include "core/error.h"

namespace nowhere {

// The most that a file may spell out: two lists of two million log points.
inline constexpr size_t kMaxValues = 4'000'000;
// The most that it may unfold into beyond that, and bytes of text in all. A pickle of a few bytes can unfold
// into billions of values.
inline constexpr size_t kMaxRepeatedValues = 2'000'000;
inline constexpr size_t kMaxTextBytes = size_t{256} << 20;

class PickleGraph {
 public:
  using Ref = uint32_t;

  // Text and bytes lie in the pickle. Encoded bytes are those of protocol 2, which writes them as text.
  struct RawBytes {
    std::span<const uint8_t> bytes;
  };
  struct EncodedBytes {
    std::string_view text;
  };
  struct Sequence {
    bool tuple;  // or a list; sets are kept as lists
    std::vector<Ref> items;
  };
  struct Mapping {
    bool ordered;  // an OrderedDict, which may carry attributes
    std::vector<std::pair<Ref, Ref>> entries;
  };
  struct StorageView {
    Dtype dtype;
    std::span<const uint8_t> bytes;
    std::shared_ptr<const void> owner;
  };
  struct TensorView {
    Ref storage;
    int64_t offset;
    Ref shape, strides;
  };
  using Node = std::variant<std::monostate, bool, int64_t, double, std::string_view, RawBytes, EncodedBytes,
                            Sequence, Mapping, GlobalName, StorageView, TensorView>;

  Ref add(Node node);
  size_t size() const { return nodes_.size(); }

  // nullptr when the object is of another kind. Valid until the next add().
  template <class T>
  const T* get(Ref ref) const {
    return std::get_if<T>(&nodes_[ref]);
  }
  template <class T>
  T* get(Ref ref) {
    return std::get_if<T>(&nodes_[ref]);
  }
  // The items of a tuple; nullptr for anything else.
  const std::vector<Ref>* tuple(Ref ref) const;

  Result<Value> unfold(Ref root) const;

 private:
  struct Budget;

  Result<Value> unfold(Ref ref, int depth, Budget& budget) const;
  Result<Value> unfold(const Sequence& sequence, int depth, Budget& budget) const;
  Result<Value> unfold(const Mapping& mapping, int depth, Budget& budget) const;
  Result<Value> unfold(const TensorView& view, Budget& budget) const;
  Result<std::vector<int64_t>> sizes(Ref tuple_ref) const;

  std::vector<Node> nodes_;
};

}  // namespace nowhere
