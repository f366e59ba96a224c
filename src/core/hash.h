// Fast checksums and identities (XXH3), not cryptographic ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nowhere {

uint64_t hash64(std::span<const uint8_t> bytes, uint64_t seed = 0);
uint64_t hash64(std::string_view text, uint64_t seed = 0);

// 128 bits, as a sum of item hashes: the same set of items gives the same digest in any order.
struct SetDigest {
  uint64_t low = 0;
  uint64_t high = 0;

  void add(std::span<const uint8_t> item);
  std::string hex() const;
  bool operator==(const SetDigest&) const = default;
};

}  // namespace nowhere
