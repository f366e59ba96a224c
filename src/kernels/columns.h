// The windows that a 4 x 4 kernel of stride 2 and padding 1 sees of a map, one row each, and back. Both
// functions work on a range, so that the caller can divide the work among its own threads: different ranges
// write different memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/scatter.h"

namespace nowhere {

// Maps of several pictures as they lie in memory: [pictures, side, side, channels]. The side is even.
struct SquareMap {
  int64_t side = 0, channels = 0;

  int64_t windows() const { return side / 2; }  // along one axis
  int64_t map_size() const { return side * side * channels; }
  // Numbers of a line of windows, each 4*4*channels.
  int64_t line_size() const { return windows() * kKernelSide * kKernelSide * channels; }
};

// Half-open, as [begin, end).
struct IndexRange {
  int64_t begin = 0, end = 0;
};

// maps [N,2S,2S,C] -> columns [N*S*S,4*4*C]: the places of each window, row by row; 0 outside the map. There
// are N*S lines of windows, S for each picture; only those in `lines` are written.
void gather_columns(std::span<const float> maps, const SquareMap& shape, IndexRange lines,
                    std::span<float> columns);

// columns [N*S*S,4*4*C] -> maps [N,2S,2S,C]: each place is the sum over all windows that contain it. Only the
// maps of `pictures` are written.
void scatter_columns(std::span<const float> columns, const SquareMap& shape, IndexRange pictures,
                     std::span<float> maps);

}  // namespace nowhere
