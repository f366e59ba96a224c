#include "archive/pickle_writer.h"

#include <fmt/core.h>

#include <bit>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "archive/pickle_format.h"
#include "archive/pickle_graph.h"

namespace nowhere {
namespace {

constexpr uint8_t kProtocol = 2;

// Without a memo: a repeated value is written again, which costs 150 bytes for a tensor.
class Writer {
 public:
  explicit Writer(Pickle& pickle) : pickle_(pickle) {}

  void write(const Value& value, int depth);
  void op(Op code) { pickle_.bytes.push_back(static_cast<uint8_t>(code)); }
  void byte(uint8_t number) { pickle_.bytes.push_back(number); }

 private:
  void write_integer(int64_t number);
  void write_float(double number);
  void write_text(std::string_view text);
  void write_bytes(const Bytes& bytes);
  void write_list(const List& list, int depth);
  void write_tuple(const Tuple& tuple, int depth);
  void write_dict(const Dict& dict, int depth);
  void write_tensor(const TensorData& tensor);
  void write_sizes(const std::vector<int64_t>& sizes);
  void write_storage(const TensorData& tensor);
  void write_global(const GlobalName& name);
  void count(const Value& value);
  void little_endian(uint64_t number, int size);

  Pickle& pickle_;
  size_t values_ = 0, text_ = 0;  // so far, as the reader counts them
  // The type counts too: PyTorch gives a record the type of the first tensor that names it.
  using StorageId = std::tuple<const uint8_t*, size_t, Dtype>;
  std::map<StorageId, size_t> storages_;
};

void Writer::write(const Value& value, int depth) {
  if (depth > kMaxValueDepth) throw Error(fmt::format("values are nested deeper than {}", kMaxValueDepth));
  count(value);
  if (value.is_none()) return op(Op::kNone);
  if (const auto boolean = value.boolean()) return op(*boolean ? Op::kTrue : Op::kFalse);
  if (const auto integer = value.integer()) return write_integer(*integer);
  if (const auto number = value.number()) return write_float(*number);
  if (const auto* text = value.text()) return write_text(*text);
  if (const auto* bytes = value.bytes()) return write_bytes(*bytes);
  if (const auto* list = value.list()) return write_list(*list, depth);
  if (const auto* tuple = value.tuple()) return write_tuple(*tuple, depth);
  if (const auto* dict = value.dict()) return write_dict(*dict, depth);
  write_tensor(*value.tensor());
}

// What the reader would refuse is not written.
void Writer::count(const Value& value) {
  constexpr size_t kObjectsOfTensor = 20;  // and two for each dimension
  const TensorData* tensor = value.tensor();
  values_ += tensor != nullptr ? kObjectsOfTensor + 2 * tensor->shape.size() : 1;
  if (const auto* text = value.text()) text_ += text->size();
  if (const auto* bytes = value.bytes()) text_ += 2 * bytes->size();
  if (values_ >= kMaxValues || text_ > kMaxTextBytes)
    throw Error("more values or text than could be read back cannot be saved");
}

void Writer::little_endian(uint64_t number, int size) {
  for (int i = 0; i < size; ++i) byte(static_cast<uint8_t>(number >> 8 * i));
}

void Writer::write_integer(int64_t number) {
  if (number >= 0 && number <= std::numeric_limits<uint8_t>::max()) {
    op(Op::kInt1);
    byte(static_cast<uint8_t>(number));
  } else if (number == static_cast<int32_t>(number)) {
    op(Op::kInt4);
    little_endian(static_cast<uint64_t>(number), 4);
  } else {
    op(Op::kLong1);
    byte(8);
    little_endian(static_cast<uint64_t>(number), 8);
  }
}

void Writer::write_float(double number) {
  op(Op::kFloat);
  little_endian(__builtin_bswap64(std::bit_cast<uint64_t>(number)), 8);
}

void Writer::write_text(std::string_view text) {
  if (text.size() > std::numeric_limits<uint32_t>::max())
    throw Error("a text of more than 4 GB cannot be saved");
  op(Op::kText4);
  little_endian(text.size(), 4);
  pickle_.bytes.insert(pickle_.bytes.end(), text.begin(), text.end());
}

// Protocol 2 has no bytes: they are written as text, one character for each.
void Writer::write_bytes(const Bytes& bytes) {
  std::string text;
  for (const uint8_t number : bytes) {
    if (number >= 0x80) text += static_cast<char>(0xc0 | number >> 6);
    text += static_cast<char>(number >= 0x80 ? 0x80 | (number & 0x3f) : number);
  }
  write_global(name_of(Global::kEncode));
  write_text(text);
  write_text("latin1");
  op(Op::kTuple2);
  op(Op::kReduce);
}

void Writer::write_list(const List& list, int depth) {
  op(Op::kEmptyList);
  op(Op::kMark);
  for (const Value& item : list.items) write(item, depth + 1);
  op(Op::kAppends);
}

void Writer::write_tuple(const Tuple& tuple, int depth) {
  op(Op::kMark);
  for (const Value& item : tuple.items) write(item, depth + 1);
  op(Op::kTuple);
}

void Writer::write_dict(const Dict& dict, int depth) {
  op(Op::kEmptyDict);
  op(Op::kMark);
  for (const auto& [key, value] : dict.entries) {
    write(key, depth + 1);
    write(value, depth + 1);
  }
  op(Op::kSetItems);
}

void Writer::write_global(const GlobalName& name) {
  op(Op::kGlobal);
  for (const std::string_view line : {name.module, name.name}) {
    pickle_.bytes.insert(pickle_.bytes.end(), line.begin(), line.end());
    byte('\n');
  }
}

// torch._utils._rebuild_tensor_v2(storage, offset, shape, strides, requires_grad, hooks)
void Writer::write_tensor(const TensorData& tensor) {
  if (auto checked = check_tensor(tensor); !checked) throw Error(checked.error().reason);
  write_global(name_of(Global::kRebuildTensor));
  op(Op::kMark);
  write_storage(tensor);
  write_integer(tensor.offset);
  write_sizes(tensor.shape);
  write_sizes(tensor.strides);
  op(Op::kFalse);
  write_global(name_of(Global::kOrderedDict));
  op(Op::kEmptyTuple);
  op(Op::kReduce);
  op(Op::kTuple);
  op(Op::kReduce);
}

void Writer::write_sizes(const std::vector<int64_t>& sizes) {
  op(Op::kMark);
  for (const int64_t size : sizes) write_integer(size);
  op(Op::kTuple);
}

// ('storage', torch.FloatStorage, '0', 'cpu', 12)
void Writer::write_storage(const TensorData& tensor) {
  const StorageId id{tensor.storage.data(), tensor.storage.size(), tensor.dtype};
  const auto [entry, added] = storages_.try_emplace(id, pickle_.storages.size());
  if (added) pickle_.storages.push_back(tensor.storage);
  op(Op::kMark);
  write_text("storage");
  write_global(storage_of(tensor.dtype));
  write_text(std::to_string(entry->second));
  write_text("cpu");
  write_integer(std::ssize(tensor.storage) / size_of(tensor.dtype));
  op(Op::kTuple);
  op(Op::kPersistentId);
}

}  // namespace

Pickle write_pickle(const Value& value) {
  Pickle pickle;
  Writer writer(pickle);
  writer.op(Op::kProto);
  writer.byte(kProtocol);
  writer.write(value, 0);
  writer.op(Op::kStop);
  return pickle;
}

}  // namespace nowhere
