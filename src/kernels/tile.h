// A small matrix product whose sums stay in registers, compiled for several instruction sets.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace nowhere {

// One of the products that are summed into a tile.
struct TileTap {
  const float* rows;   // [rows, depth], `stride` apart
  const float* panel;  // [depth, columns]
};

constexpr int kMaxTileNumbers = 1024;  // of a tile, whatever the instruction set

// A floor that every sum is above.
inline constexpr float kNoFloor = std::numeric_limits<float>::lowest();

struct TileKernel {
  int rows = 0, columns = 0;
  // tile [rows, columns] = max(bias [columns] + the sum over all taps of rows times panel, floor). A number
  // of the tile is one chain of sums, over taps and then over depth: its bits do not depend on the size or
  // position of the tile. They are the same on all processors that multiply and add in one instruction (AVX2,
  // AVX-512).
  void (*make)(std::span<const TileTap> taps, int64_t stride, int64_t depth, const float* bias, float floor,
               float* tile) = nullptr;
};

// For the best instruction set of this processor; its tiles are as wide as suits matrices with so many
// columns.
TileKernel tile_kernel(int64_t columns = std::numeric_limits<int32_t>::max());

}  // namespace nowhere
