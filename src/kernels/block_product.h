// A small matrix product with sums in memory: the inner part of larger ones that are cut into blocks.
#pragma once

#include <cstdint>

namespace nowhere {

// The left factor of a block: element (row, k) stands at first[row * row_stride + k * depth_stride]. One of
// the two strides is 1.
struct LeftBlock {
  const float* first = nullptr;
  int64_t row_stride = 0, depth_stride = 1;
};

struct BlockShape {
  int64_t rows = 0, depth = 0;
  int64_t columns = 0;  // a multiple of kBlockLanes
};

constexpr int64_t kBlockLanes = 16;  // of the widest vectors: what blocks are padded to

// sums [rows, columns] = left [rows, depth] * right [depth, columns], or += where `add`. Rows of `right` and
// of `sums` are `columns` apart. An element is one chain of sums over depth, whatever the block's shape.
void multiply_block(const LeftBlock& left, const float* right, const BlockShape& shape, bool add,
                    float* sums);

}  // namespace nowhere
