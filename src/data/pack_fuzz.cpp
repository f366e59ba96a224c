// Any bytes as a packed file: whatever can be opened can also be read and verified.
#include <cstdint>
#include <span>

#include "data/pack_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const nowhere::FileBytes bytes({data, size});
  const auto pack = nowhere::PackReader::parse(nowhere::FileBytes({data, size}));
  if (pack && pack->header().version == nowhere::kPackVersion)
    static_cast<void>(pack->verify(1, [](int64_t) {}));
  if (const auto lmdb = nowhere::LmdbFile::open(bytes)) static_cast<void>(lmdb->check());
  return 0;
}
