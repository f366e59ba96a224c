// Random seeds that have most likely never been requested.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

#include "core/random.h"

namespace nowhere {

// 32 bits each: short in an address, and exact as a JavaScript number. Any thread.
class FreshSeeds {
 public:
  uint64_t next() { return mix64(key_ ^ mix64(drawn_++)) >> 32; }
  std::vector<uint64_t> next(size_t count) {
    std::vector<uint64_t> seeds(count);
    for (uint64_t& seed : seeds) seed = next();
    return seeds;
  }

 private:
  const uint64_t key_ = (uint64_t{std::random_device()()} << 32) | std::random_device()();
  std::atomic<uint64_t> drawn_ = 0;
};

}  // namespace nowhere
