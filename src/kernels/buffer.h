// Memory that kernels work in: not initialised, aligned to cache lines.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstdint>

#include "kernels/block_product.h"

namespace nowhere {

using Buffer = hwy::AlignedFreeUniquePtr<float[]>;

inline Buffer new_buffer(int64_t numbers) {
  return hwy::AllocateAligned<float>(static_cast<size_t>(numbers));
}

inline int64_t quotient_up(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// To a multiple of kBlockLanes.
inline int64_t padded(int64_t channels) {
  return quotient_up(channels, kBlockLanes) * kBlockLanes;
}

}  // namespace nowhere
