// A shuffle of the numbers below n that is computed where it is asked for: no memory, any place first.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/random.h"

namespace nowhere {

// A Feistel network over the next power of two, whose rounds mix one half of the bits into the other with
// keys of a Random. A result that is not below n goes through it again until it is, which makes it a
// bijection of the numbers below n; a number goes through it less than twice on average.
class Permutation {
 public:
  // 0 < size <= 2^32
  Permutation(uint64_t size, Random random)
      : size_(size),
        low_bits_(static_cast<unsigned>(std::bit_width(size - 1)) / 2),
        high_bits_(static_cast<unsigned>(std::bit_width(size - 1)) - low_bits_) {
    for (uint64_t& key : keys_) key = random.bits();
  }

  uint64_t size() const { return size_; }

  // `place` and the result are below size().
  uint64_t operator()(uint64_t place) const {
    do place = mixed(place);
    while (place >= size_);
    return place;
  }

 private:
  // Even, so that the halves, which may differ by a bit, end where they began.
  static constexpr size_t kRounds = 8;

  uint64_t mixed(uint64_t value) const {
    unsigned low_bits = low_bits_, high_bits = high_bits_;
    for (const uint64_t key : keys_) {
      const uint64_t low = value & ((uint64_t{1} << low_bits) - 1), high = value >> low_bits;
      const uint64_t changed = (high ^ mix64(low ^ key)) & ((uint64_t{1} << high_bits) - 1);
      value = low << high_bits | changed;
      std::swap(low_bits, high_bits);
    }
    return value;
  }

  uint64_t size_;
  unsigned low_bits_, high_bits_;
  std::array<uint64_t, kRounds> keys_{};
};

}  // namespace nowhere
