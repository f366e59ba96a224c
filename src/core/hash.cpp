#include "core/hash.h"

#include <fmt/core.h>
#include <xxhash.h>

namespace nowhere {

uint64_t hash64(std::span<const uint8_t> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t hash64(std::string_view text, uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

void SetDigest::add(std::span<const uint8_t> item) {
  const XXH128_hash_t hash = XXH3_128bits(item.data(), item.size());
  low += hash.low64;
  high += hash.high64;
}

std::string SetDigest::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

}  // namespace nowhere
