// Reads any bytes as a pickle (the first byte is even) or as a whole .pt file (odd). What can be read can be
// written, and reading and writing that again gives the same bytes.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "archive/pickle_reader.h"
#include "archive/pickle_writer.h"
#include "archive/torch_file.h"

namespace nowhere {
namespace {

Result<Value> read_raw(std::span<const uint8_t> pickle) {
  static const std::vector<uint8_t> zeros(4096);
  return read_pickle(pickle, [](const StorageRequest&) -> Result<Storage> {
    return Storage{zeros, nullptr};
  });
}

void check(const Value& value) {
  const Pickle first = write_pickle(value);
  const auto again = read_pickle(first.bytes, [&](const StorageRequest& wanted) -> Result<Storage> {
    return Storage{first.storages.at(std::stoul(wanted.key)), nullptr};
  });
  if (!again || write_pickle(*again).bytes != first.bytes) std::abort();
}

}  // namespace
}  // namespace nowhere

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::span<const uint8_t> rest(data + 1, size - 1);
  const auto value = data[0] % 2 == 0 ? nowhere::read_raw(rest) : nowhere::read_torch_bytes(rest);
  if (value) nowhere::check(*value);
  return 0;
}
