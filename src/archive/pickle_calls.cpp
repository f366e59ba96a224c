#include "archive/pickle_calls.h"

#include <fmt/core.h>

#include <limits>

#include "core/text.h"

namespace nowhere {
namespace {

using Ref = PickleGraph::Ref;
using Refs = std::vector<Ref>;

Failure wrong_arguments(const GlobalName& function) {
  return Failure{
      fmt::format("{}.{} is called in a way that torch.save does not", function.module, function.name)};
}

// (storage, offset, shape, strides, requires_grad, hooks[, metadata]); the last three say nothing about the
// numbers.
Result<Ref> rebuild_tensor(PickleGraph& graph, const GlobalName& function, const Refs& arguments) {
  if (arguments.size() < 6 || arguments.size() > 7) return wrong_arguments(function);
  const int64_t* offset = graph.get<int64_t>(arguments[1]);
  if (graph.get<PickleGraph::StorageView>(arguments[0]) == nullptr || offset == nullptr)
    return wrong_arguments(function);
  return graph.add(PickleGraph::TensorView{arguments[0], *offset, arguments[2], arguments[3]});
}

// (text, 'latin1')
Result<Ref> encode(PickleGraph& graph, const GlobalName& function, const Refs& arguments) {
  if (arguments.size() != 2) return wrong_arguments(function);
  const auto *text = graph.get<std::string_view>(arguments[0]),
             *codec = graph.get<std::string_view>(arguments[1]);
  if (text == nullptr || codec == nullptr || *codec != "latin1") return wrong_arguments(function);
  return graph.add(PickleGraph::EncodedBytes{*text});
}

// Conversion of one container into another: the argument itself is the result.
template <class... Kinds>
Result<Ref> convert(const PickleGraph& graph, const GlobalName& function, const Refs& arguments) {
  if (arguments.size() != 1 || !((graph.get<Kinds>(arguments[0]) != nullptr) || ...))
    return wrong_arguments(function);
  return arguments[0];
}

}  // namespace

Result<Ref> call_global(PickleGraph& graph, Ref function_ref, Ref arguments_ref) {
  const GlobalName* found = graph.get<GlobalName>(function_ref);
  const Refs* tuple = graph.tuple(arguments_ref);
  if (found == nullptr || tuple == nullptr) return Failure{"it calls something that is not a function"};
  const GlobalName function = *found;
  const Refs& arguments = *tuple;
  switch (function.global) {
    case Global::kOrderedDict:
      if (!arguments.empty()) return wrong_arguments(function);
      return graph.add(PickleGraph::Mapping{.ordered = true, .entries = {}});
    case Global::kRebuildTensor:
      return rebuild_tensor(graph, function, arguments);
    case Global::kRebuildParameter:  // (tensor, requires_grad, hooks)
      if (arguments.size() != 3 || graph.get<PickleGraph::TensorView>(arguments[0]) == nullptr)
        return wrong_arguments(function);
      return arguments[0];
    case Global::kSize:
      if (arguments.size() != 1 || graph.tuple(arguments[0]) == nullptr) return wrong_arguments(function);
      return arguments[0];
    case Global::kEncode:
      return encode(graph, function, arguments);
    case Global::kBytes:
      if (arguments.empty()) return graph.add(PickleGraph::RawBytes{});
      return convert<PickleGraph::RawBytes, PickleGraph::EncodedBytes>(graph, function, arguments);
    case Global::kSet:
      if (arguments.empty()) return graph.add(PickleGraph::Sequence{.tuple = false, .items = {}});
      return convert<PickleGraph::Sequence>(graph, function, arguments);
    case Global::kStorage:
      break;
  }
  return wrong_arguments(function);
}

Result<Ref> load_storage(PickleGraph& graph, Ref id, const FindStorage& find_storage) {
  const Failure strange{"a tensor's data are named in a way that torch.save does not"};
  const Refs* parts = graph.tuple(id);
  if (parts == nullptr || parts->size() < 5 || parts->size() > 6) return strange;
  // Before PyTorch 1.6 a sixth part told of views on storages, which nothing writes any more.
  if (parts->size() == 6 && graph.get<std::monostate>((*parts)[5]) == nullptr) return strange;
  const auto* word = graph.get<std::string_view>((*parts)[0]);
  const GlobalName* kind = graph.get<GlobalName>((*parts)[1]);
  const auto* key = graph.get<std::string_view>((*parts)[2]);
  const int64_t* count = graph.get<int64_t>((*parts)[4]);
  if (word == nullptr || *word != "storage" || kind == nullptr || kind->global != Global::kStorage ||
      key == nullptr || count == nullptr || *count < 0)
    return strange;
  const size_t size = static_cast<size_t>(size_of(kind->dtype));
  if (static_cast<uint64_t>(*count) > std::numeric_limits<size_t>::max() / size) return strange;
  auto storage = find_storage({std::string(*key), static_cast<size_t>(*count) * size});
  if (!storage) return storage.error();
  if (static_cast<uint64_t>(*count) > storage->bytes.size() / size)
    return Failure{fmt::format("the storage {} should have {} x {} and has {} bytes",
                               printable_text(key->substr(0, 80)), *count, name_of(kind->dtype),
                               storage->bytes.size())};
  const auto bytes = storage->bytes.first(static_cast<size_t>(*count) * size);
  return graph.add(PickleGraph::StorageView{kind->dtype, bytes, std::move(storage->owner)});
}

}  // namespace nowhere
