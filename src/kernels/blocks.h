// Lists that kernels divide into blocks and ranges.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/buffer.h"

namespace nowhere {

constexpr int64_t kBlock = 64;  // tiles, channels or kernels that go through a product together

// Some of the items of a list.
struct Range {
  int64_t first = 0, count = 0;

  // One of `parts` parts of `items`, which are as equal as can be.
  static Range part(int64_t items, int64_t part, int64_t parts) {
    const int64_t first = items * part / parts;
    return {first, items * (part + 1) / parts - first};
  }
  int64_t end() const { return first + count; }
};

// Channels in blocks of kBlock, the last one narrower.
struct Blocks {
  int64_t channels = 0;

  int64_t count() const { return quotient_up(channels, kBlock); }
  int64_t size(int64_t block) const { return std::min(kBlock, channels - block * kBlock); }
  int64_t width(int64_t block) const { return padded(size(block)); }  // in buffers
};

}  // namespace nowhere
