// Reads the pickle of a .pt file without Python, and without executing anything: a pickle is a program, and
// only the opcodes that build plain values and tensors are understood. A reference to any other name is a
// failure that names it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "archive/value.h"
#include "core/error.h"

namespace nowhere {

// The bytes of a storage, which are stored beside the pickle. `owner` keeps them alive.
struct Storage {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;
};

struct StorageRequest {
  std::string key;
  size_t bytes = 0;  // as many as the tensor's elements take; the storage may not have fewer
};

// Called for every reference to a storage: the same key has to give the same storage again, cheaply.
using FindStorage = std::function<Result<Storage>(const StorageRequest& wanted)>;

// Protocols 2 to 5. An OrderedDict arrives as a Dict without its attributes, a set as a List, a torch.Size as
// a Tuple, a parameter as its tensor, a bytearray as Bytes.
Result<Value> read_pickle(std::span<const uint8_t> pickle, const FindStorage& find_storage);

// The first of several pickles, which is taken off `rest`.
Result<Value> take_pickle(std::span<const uint8_t>& rest, const FindStorage& find_storage);

}  // namespace nowhere
