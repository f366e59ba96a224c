#include "kernels/phase_grid.h"

#include <algorithm>

namespace nowhere {

PhaseRows::PhaseRows(const HalvingShape& shape, const float* large)
    : shape_(shape), grid_(shape), large_(large), zeros_(static_cast<size_t>(size())) {}

const float* PhaseRows::row(int64_t position, int64_t s, float* edge) const {
  if (position >= grid_.positions()) return zeros_.data();
  const PhaseGrid::Place at = grid_[position];
  const int64_t y = 2 * at.y + s - 1, x = 2 * at.x - 1;
  if (y < 0 || y >= shape_.height) return zeros_.data();
  const int64_t channels = shape_.channels;
  const float* line = large_ + (at.picture * shape_.height + y) * shape_.width * channels;
  if (x >= 0 && x + 2 <= shape_.width) return line + x * channels;
  // One of the two is outside.
  std::copy_n(x < 0 ? zeros_.data() : line + x * channels, channels, edge);
  std::copy_n(x < 0 ? line : zeros_.data(), channels, edge + channels);
  return edge;
}

ShiftedRows::ShiftedRows(const HalvingShape& shape, const float* small)
    : shape_(shape), grid_(shape), small_(small), zeros_(static_cast<size_t>(shape.kernels)) {}

const float* ShiftedRows::row(int64_t position) const {
  if (position >= grid_.positions()) return zeros_.data();
  const PhaseGrid::Place at = grid_[position];
  if (at.y == 0 || at.x == 0) return zeros_.data();
  const int64_t line = at.picture * shape_.small_height() + at.y - 1;
  return small_ + (line * shape_.small_width() + at.x - 1) * shape_.kernels;
}

}  // namespace nowhere
