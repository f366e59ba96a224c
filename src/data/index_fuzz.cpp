// Any bytes as an index that fits its checksums: whatever is accepted can be used.
#include <cstdint>
#include <vector>

#include "data/index_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const nowhere::IndexKey key{7, {1000, 2000}};
  const std::vector<uint8_t> as_it_is(data, data + size);
  static_cast<void>(nowhere::parse_index(as_it_is, std::make_shared<int>(), key));
  if (size < nowhere::kIndexHeaderBytes) return 0;
  std::vector<uint8_t> sealed(data, data + size);
  nowhere::seal_index(sealed, key);
  const auto index = nowhere::parse_index(sealed, std::make_shared<int>(), key);
  if (!index) return 0;
  const nowhere::Photos& photos = index->photos;
  for (const nowhere::Photo& photo : photos.all)
    static_cast<void>(photos.identity(photo) + std::string(photos.sequence(photo)));
  return 0;
}
