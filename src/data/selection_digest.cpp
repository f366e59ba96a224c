#include "data/selection_digest.h"

#include <fmt/core.h>

#include "core/hash.h"

namespace nowhere {

std::string selection_digest(const Photos& photos, std::span<const uint32_t> selected) {
  uint64_t first = 1, second = 2;
  for (const uint32_t number : selected) {
    const std::string identity = photos.identity(photos.all[number]);
    for (uint64_t* hash : {&first, &second}) *hash = hash64(identity, *hash);
  }
  return fmt::format("{:016x}{:016x}", first, second);
}

}  // namespace nowhere
