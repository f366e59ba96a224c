// Writes values as a pickle of protocol 2 that torch.load accepts with weights_only=True.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "archive/value.h"

namespace nowhere {

struct Pickle {
  std::vector<uint8_t> bytes;
  // What the pickle calls storage "0", "1" and so on. They refer to the value's tensors, which outlive this.
  std::vector<std::span<const uint8_t>> storages;
};

// Tensors of one storage and type share a record, which holds the whole storage, as with torch.save. Bytes
// are written as torch.save does, by the call of _codecs.encode that weights_only allows. Throws Error for
// what could not be read back: a tensor that reaches outside its storage, values nested too deep, text of 4
// GB.
Pickle write_pickle(const Value& value);

}  // namespace nowhere
