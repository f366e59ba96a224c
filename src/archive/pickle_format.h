// The format that the reader and the writer of pickles share: the opcodes that torch.save uses, and the few
// Python names that a checkpoint may refer to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "archive/value.h"

namespace nowhere {

enum class Op : uint8_t {
  kProto = 0x80,
  kFrame = 0x95,
  kStop = '.',
  kMark = '(',
  // Scalars
  kNone = 'N',
  kTrue = 0x88,
  kFalse = 0x89,
  kInt4 = 'J',
  kInt1 = 'K',
  kInt2 = 'M',
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kFloat = 'G',
  kText1 = 0x8c,  // the digit is the number of bytes of the length in front
  kText4 = 'X',
  kText8 = 0x8d,
  kBytes1 = 'C',
  kBytes4 = 'B',
  kBytes8 = 0x8e,
  kBytearray8 = 0x96,
  // Containers
  kEmptyTuple = ')',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kTuple = 't',
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kEmptyDict = '}',
  kSetItem = 's',
  kSetItems = 'u',
  kEmptySet = 0x8f,
  kAddItems = 0x90,
  kFrozenSet = 0x91,
  // Names and calls
  kGlobal = 'c',
  kStackGlobal = 0x93,
  kReduce = 'R',
  kBuild = 'b',
  kPersistentId = 'Q',
  // The memo of objects seen before
  kPut1 = 'q',
  kPut4 = 'r',
  kMemoize = 0x94,
  kGet1 = 'h',
  kGet4 = 'j',
};

// What an opcode needs; checked in one place for all of them.
struct OpRow {
  Op op;
  size_t operand = 0;    // bytes that follow, as a little-endian number
  bool payload = false;  // as many bytes follow as the operand says
  size_t needs = 0;      // objects on the stack, above the last mark
  bool mark = false;     // takes everything above a mark; `needs` is then what lies below it
};

// nullptr for an opcode that is not supported.
const OpRow* find_op(uint8_t code);

enum class Global {
  kOrderedDict,
  kRebuildTensor,
  kRebuildParameter,
  kSize,
  kEncode,
  kBytes,  // and bytearray
  kSet,    // and frozenset
  kStorage,
};

struct GlobalName {
  std::string_view module, name;
  Global global;
  Dtype dtype = Dtype::kFloat32;  // of a storage
};

// Nothing when the name is not in the list of allowed names.
std::optional<GlobalName> find_global(std::string_view module, std::string_view name);

// The first name in the list for it.
const GlobalName& name_of(Global global);
const GlobalName& storage_of(Dtype dtype);

}  // namespace nowhere
