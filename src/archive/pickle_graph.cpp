#include "archive/pickle_graph.h"

#include <fmt/core.h>

#include <string>
#include <unordered_set>

#include "core/text.h"

namespace nowhere {

// How much may still be unfolded.
struct PickleGraph::Budget {
  size_t values;
  size_t text = kMaxTextBytes;

  bool take(size_t text_bytes) {
    if (values == 0 || text_bytes > text) return false;
    --values;
    text -= text_bytes;
    return true;
  }
};

namespace {

Failure too_many() {
  return Failure{
      fmt::format("it unfolds into {} values more than it spells out, or into more than {} of text, "
                  "which no checkpoint does",
                  with_commas(kMaxRepeatedValues), human_bytes(kMaxTextBytes))};
}

// Protocol 2 writes bytes as text, one character for each; in UTF-8 they take one or two bytes.
Result<Value> decode_latin1(std::string_view text) {
  Bytes bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<uint8_t>(text[i]);
    if (first < 0x80) {
      bytes.push_back(first);
      continue;
    }
    const uint8_t second = i + 1 < text.size() ? static_cast<uint8_t>(text[++i]) : 0;
    if ((first != 0xc2 && first != 0xc3) || (second & 0xc0) != 0x80)
      return Failure{"bytes are written as text that is not latin1"};
    bytes.push_back(static_cast<uint8_t>((first << 6) | (second & 0x3f)));
  }
  return Value(std::move(bytes));
}

}  // namespace

PickleGraph::Ref PickleGraph::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<Ref>(nodes_.size() - 1);
}

const std::vector<PickleGraph::Ref>* PickleGraph::tuple(Ref ref) const {
  const Sequence* sequence = get<Sequence>(ref);
  return sequence != nullptr && sequence->tuple ? &sequence->items : nullptr;
}

Result<Value> PickleGraph::unfold(Ref root) const {
  Budget budget{.values = nodes_.size() + kMaxRepeatedValues};
  return unfold(root, 0, budget);
}

Result<Value> PickleGraph::unfold(Ref ref, int depth, Budget& budget) const {
  if (depth > kMaxValueDepth)
    return Failure{fmt::format("values are nested deeper than {}, or contain themselves", kMaxValueDepth)};
  if (!budget.take(0)) return too_many();
  if (const bool* found = get<bool>(ref)) return Value(*found);
  if (const int64_t* found = get<int64_t>(ref)) return Value(*found);
  if (const double* found = get<double>(ref)) return Value(*found);
  if (const auto* found = get<std::string_view>(ref)) {
    if (!budget.take(found->size())) return too_many();
    return Value(*found);
  }
  if (const auto* found = get<RawBytes>(ref)) {
    if (!budget.take(found->bytes.size())) return too_many();
    return Value(Bytes(found->bytes.begin(), found->bytes.end()));
  }
  if (const auto* found = get<EncodedBytes>(ref)) {
    if (!budget.take(found->text.size())) return too_many();
    return decode_latin1(found->text);
  }
  if (const auto* found = get<Sequence>(ref)) return unfold(*found, depth, budget);
  if (const auto* found = get<Mapping>(ref)) return unfold(*found, depth, budget);
  if (const auto* found = get<TensorView>(ref)) return unfold(*found, budget);
  if (const auto* found = get<GlobalName>(ref))
    return Failure{fmt::format("{}.{} stands where a value should be", found->module, found->name)};
  if (get<StorageView>(ref) != nullptr) return Failure{"a storage stands where a tensor should be"};
  return Value();
}

Result<Value> PickleGraph::unfold(const Sequence& sequence, int depth, Budget& budget) const {
  std::vector<Value> items;
  for (const Ref ref : sequence.items) {
    auto item = unfold(ref, depth + 1, budget);
    if (!item) return item;
    items.push_back(std::move(*item));
  }
  if (sequence.tuple) return Value(Tuple{std::move(items)});
  return Value(List{std::move(items)});
}

Result<Value> PickleGraph::unfold(const Mapping& mapping, int depth, Budget& budget) const {
  Dict dict;
  // Python would keep the last of two equal keys; torch.save never writes two.
  std::unordered_set<std::string_view> texts;
  std::unordered_set<int64_t> integers;
  for (const auto& [key_ref, value_ref] : mapping.entries) {
    if (const auto* text = get<std::string_view>(key_ref); text && !texts.insert(*text).second)
      return Failure{fmt::format("a dict has the key {} twice", printable_text(text->substr(0, 80)))};
    if (const auto* integer = get<int64_t>(key_ref); integer && !integers.insert(*integer).second)
      return Failure{fmt::format("a dict has the key {} twice", *integer)};
    auto key = unfold(key_ref, depth + 1, budget);
    if (!key) return key;
    if (key->list() != nullptr || key->dict() != nullptr || key->tensor() != nullptr)
      return Failure{fmt::format("a dict has {} as a key", key->kind())};
    auto value = unfold(value_ref, depth + 1, budget);
    if (!value) return value;
    dict.add(std::move(*key), std::move(*value));
  }
  return Value(std::move(dict));
}

Result<std::vector<int64_t>> PickleGraph::sizes(Ref tuple_ref) const {
  const std::vector<Ref>* items = tuple(tuple_ref);
  if (items == nullptr || items->size() > kMaxDimensions)
    return Failure{fmt::format("a tensor's sizes are not a tuple of at most {} numbers", kMaxDimensions)};
  std::vector<int64_t> numbers;
  for (const Ref item : *items) {
    const int64_t* number = get<int64_t>(item);
    if (number == nullptr) return Failure{"a tensor's sizes are not all numbers"};
    numbers.push_back(*number);
  }
  return numbers;
}

Result<Value> PickleGraph::unfold(const TensorView& view, Budget& budget) const {
  const auto shape = sizes(view.shape), strides = sizes(view.strides);
  if (!shape) return shape.error();
  if (!strides) return strides.error();
  if (!budget.take(sizeof(int64_t) * (shape->size() + strides->size()))) return too_many();
  const StorageView& storage = *get<StorageView>(view.storage);
  TensorData tensor{storage.dtype, *shape, *strides, view.offset, storage.bytes, storage.owner};
  if (auto checked = check_tensor(tensor); !checked) return checked.error();
  return Value(std::move(tensor));
}

}  // namespace nowhere
