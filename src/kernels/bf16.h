// Numbers in bf16, the upper half of a float32, laid out as matrix units want the factors of a product.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstdint>

#include "kernels/buffer.h"

namespace nowhere {

using Bf16 = uint16_t;
using Bf16Buffer = hwy::AlignedFreeUniquePtr<Bf16[]>;  // not initialised, aligned to cache lines

constexpr int64_t kBf16Line = 32;  // numbers of a cache line, and of a row of a matrix unit's tile

inline Bf16Buffer new_bf16_buffer(int64_t numbers) {
  return hwy::AllocateAligned<Bf16>(static_cast<size_t>(numbers));
}

// The distance of rows of so many numbers: an odd number of cache lines, because at a power of two the rows
// would compete for the same lines of the cache.
inline int64_t staggered(int64_t numbers) {
  return (quotient_up(numbers, kBf16Line) | 1) * kBf16Line;
}

// Rounds to the nearest, of two equally near ones to the even one. A NaN becomes 0x7fc0. As LibTorch does.
void to_bf16(const float* from, int64_t count, Bf16* to);

// Two rows as a row of pairs: an even and an odd number by turns.
void to_bf16_pairs(const float* even, const float* odd, int64_t count, Bf16* to);

// Pairs [rows, columns], rows `from_stride` pairs apart, to pairs [columns, rows].
void transpose_pairs(const Bf16* from, int64_t from_stride, int64_t rows, int64_t columns, Bf16* to,
                     int64_t to_stride);

}  // namespace nowhere
