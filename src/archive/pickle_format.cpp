#include "archive/pickle_format.h"

#include <algorithm>
#include <array>

namespace nowhere {
namespace {

constexpr auto kOps = std::to_array<OpRow>({
    {.op = Op::kProto, .operand = 1},
    {.op = Op::kFrame, .operand = 8},
    {.op = Op::kStop, .needs = 1},
    {.op = Op::kMark},
    {.op = Op::kNone},
    {.op = Op::kTrue},
    {.op = Op::kFalse},
    {.op = Op::kInt1, .operand = 1},
    {.op = Op::kInt2, .operand = 2},
    {.op = Op::kInt4, .operand = 4},
    {.op = Op::kLong1, .operand = 1, .payload = true},
    {.op = Op::kLong4, .operand = 4, .payload = true},
    {.op = Op::kFloat, .operand = 8},
    {.op = Op::kText1, .operand = 1, .payload = true},
    {.op = Op::kText4, .operand = 4, .payload = true},
    {.op = Op::kText8, .operand = 8, .payload = true},
    {.op = Op::kBytes1, .operand = 1, .payload = true},
    {.op = Op::kBytes4, .operand = 4, .payload = true},
    {.op = Op::kBytes8, .operand = 8, .payload = true},
    {.op = Op::kBytearray8, .operand = 8, .payload = true},
    {.op = Op::kEmptyTuple},
    {.op = Op::kTuple1, .needs = 1},
    {.op = Op::kTuple2, .needs = 2},
    {.op = Op::kTuple3, .needs = 3},
    {.op = Op::kTuple, .mark = true},
    {.op = Op::kEmptyList},
    {.op = Op::kAppend, .needs = 2},
    {.op = Op::kAppends, .needs = 1, .mark = true},
    {.op = Op::kEmptyDict},
    {.op = Op::kSetItem, .needs = 3},
    {.op = Op::kSetItems, .needs = 1, .mark = true},
    {.op = Op::kEmptySet},
    {.op = Op::kAddItems, .needs = 1, .mark = true},
    {.op = Op::kFrozenSet, .mark = true},
    {.op = Op::kGlobal},
    {.op = Op::kStackGlobal, .needs = 2},
    {.op = Op::kReduce, .needs = 2},
    {.op = Op::kBuild, .needs = 2},
    {.op = Op::kPersistentId, .needs = 1},
    {.op = Op::kPut1, .operand = 1, .needs = 1},
    {.op = Op::kPut4, .operand = 4, .needs = 1},
    {.op = Op::kMemoize, .needs = 1},
    {.op = Op::kGet1, .operand = 1},
    {.op = Op::kGet4, .operand = 4},
});

// Short on purpose: the names that make a tensor, and basic types that protocol 2 has no opcodes for.
// (Protocol 2 gives the module of the built-in types its name in Python 2.)
constexpr auto kGlobals = std::to_array<GlobalName>({
    {"collections", "OrderedDict", Global::kOrderedDict},
    {"torch._utils", "_rebuild_tensor_v2", Global::kRebuildTensor},
    {"torch._utils", "_rebuild_parameter", Global::kRebuildParameter},
    {"torch", "Size", Global::kSize},
    {"_codecs", "encode", Global::kEncode},
    {"builtins", "bytes", Global::kBytes},
    {"__builtin__", "bytes", Global::kBytes},
    {"builtins", "bytearray", Global::kBytes},
    {"__builtin__", "bytearray", Global::kBytes},
    {"builtins", "set", Global::kSet},
    {"__builtin__", "set", Global::kSet},
    {"builtins", "frozenset", Global::kSet},
    {"__builtin__", "frozenset", Global::kSet},
    {"torch", "FloatStorage", Global::kStorage, Dtype::kFloat32},
    {"torch", "DoubleStorage", Global::kStorage, Dtype::kFloat64},
    {"torch", "HalfStorage", Global::kStorage, Dtype::kFloat16},
    {"torch", "BFloat16Storage", Global::kStorage, Dtype::kBfloat16},
    {"torch", "LongStorage", Global::kStorage, Dtype::kInt64},
    {"torch", "IntStorage", Global::kStorage, Dtype::kInt32},
    {"torch", "ShortStorage", Global::kStorage, Dtype::kInt16},
    {"torch", "CharStorage", Global::kStorage, Dtype::kInt8},
    {"torch", "ByteStorage", Global::kStorage, Dtype::kUint8},
    {"torch", "BoolStorage", Global::kStorage, Dtype::kBool},
});

}  // namespace

const OpRow* find_op(uint8_t code) {
  const auto* row = std::ranges::find(kOps, static_cast<Op>(code), &OpRow::op);
  return row != kOps.end() ? row : nullptr;
}

std::optional<GlobalName> find_global(std::string_view module, std::string_view name) {
  for (const GlobalName& known : kGlobals)
    if (known.module == module && known.name == name) return known;
  return std::nullopt;
}

const GlobalName& name_of(Global global) {
  return *std::ranges::find(kGlobals, global, &GlobalName::global);
}

const GlobalName& storage_of(Dtype dtype) {
  return *std::ranges::find_if(kGlobals, [dtype](const GlobalName& known) {
    return known.global == Global::kStorage && known.dtype == dtype;
  });
}

}  // namespace nowhere
