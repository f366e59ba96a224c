#include "kernels/columns.h"

#include <algorithm>
#include <vector>

namespace nowhere {
namespace {

constexpr int64_t kStride = 2, kPadding = 1;

// One line of windows: y counts from the top of the map.
void gather_line(const float* map, const SquareMap& shape, int64_t y, float* out) {
  const auto [side, channels] = shape;
  for (int64_t x = 0; x < shape.windows(); ++x)
    for (int64_t tap = 0; tap < kKernelSide * kKernelSide; ++tap, out += channels) {
      const int64_t row = y * kStride - kPadding + tap / kKernelSide;
      const int64_t column = x * kStride - kPadding + tap % kKernelSide;
      if (row < 0 || row >= side || column < 0 || column >= side)
        std::fill_n(out, channels, 0.0f);
      else
        std::copy_n(map + (row * side + column) * channels, channels, out);
    }
}

}  // namespace

void gather_columns(std::span<const float> maps, const SquareMap& shape, IndexRange lines,
                    std::span<float> columns) {
  for (int64_t line = lines.begin; line < lines.end; ++line)
    gather_line(maps.data() + line / shape.windows() * shape.map_size(), shape, line % shape.windows(),
                columns.data() + line * shape.line_size());
}

void scatter_columns(std::span<const float> columns, const SquareMap& shape, IndexRange pictures,
                     std::span<float> maps) {
  const std::vector<float> no_bias(static_cast<size_t>(shape.channels));
  const int64_t columns_size = shape.windows() * shape.line_size();
  for (int64_t picture = pictures.begin; picture < pictures.end; ++picture)
    scatter_picture(columns.data() + picture * columns_size, shape.windows(), shape.channels, no_bias.data(),
                    maps.data() + picture * shape.map_size());
}

}  // namespace nowhere
