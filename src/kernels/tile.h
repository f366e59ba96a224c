// A small matrix product whose sums stay in registers, for the processor that is there.
#pragma once

#include <cstdint>
#include <span>

namespace nowhere {

// One of the products that are summed into a tile.
struct TileTap {
  const float* rows;   // the first of them
  const float* panel;  // [depth, columns]
};

struct TileKernel {
  int rows = 0, columns = 0;
  // tile [rows, columns] = max(bias [columns] + the sum over all taps of rows (each `depth` numbers, `stride` apart) times
  // panel, floor). A number of the tile is one chain of sums, over taps and then over depth: its bits do not depend on the
  // tile's size or place, and where multiply and add are one instruction (AVX2, AVX-512) not on the processor either.
  void (*make)(std::span<const TileTap> taps, int64_t stride, int64_t depth, const float* bias, float floor,
               float* tile) = nullptr;
};

TileKernel tile_kernel();

}  // namespace nowhere
