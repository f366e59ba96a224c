#include "kernels/row_product.h"

#include <algorithm>
#include <array>

namespace nowhere {

PackedMatrix::PackedMatrix(const TileKernel& kernel, std::span<const float> matrix, int64_t columns)
    : depth_(static_cast<int64_t>(matrix.size()) / columns), columns_(columns), width_(kernel.columns) {
  numbers_.resize(static_cast<size_t>(count() * depth_ * width_));
  float* to = numbers_.data();
  for (int64_t begin = 0; begin < columns_; begin += width_)
    for (int64_t row = 0; row < depth_; ++row, to += width_)
      std::copy_n(matrix.data() + row * columns_ + begin, std::min(width_, columns_ - begin), to);
}

std::vector<float> padded_bias(const TileKernel& kernel, std::span<const float> bias) {
  std::vector<float> padded(bias.begin(), bias.end());
  const auto width = static_cast<size_t>(kernel.columns);
  padded.resize((padded.size() + width - 1) / width * width);
  return padded;
}

void multiply_rows(const TileKernel& kernel, const SourceRows& source, std::span<const Factor> factors,
                   int64_t panel, const Finish& finish, const TargetRows& target) {
  std::array<TileTap, kMaxFactors> taps;
  alignas(64) std::array<float, kMaxTileNumbers> tile;
  const PackedMatrix& shape = *factors.front().matrix;
  const int64_t begin = panel * kernel.columns,
                columns = std::min<int64_t>(kernel.columns, shape.columns() - begin);
  int64_t group = begin, in_group = 0;  // an offset, since behind the last group there may be no memory
  for (int64_t row = 0; row < source.count; row += kernel.rows) {
    for (size_t i = 0; i < factors.size(); ++i)
      taps[i] = {source.first + row * source.stride + factors[i].offset, factors[i].matrix->panel(panel)};
    kernel.make({taps.data(), factors.size()}, source.stride, shape.depth(), finish.bias.data() + begin,
                finish.floor, tile.data());
    const float* made = tile.data();
    for (int64_t r = row; r < std::min(row + kernel.rows, source.count); ++r, made += kernel.columns) {
      std::copy_n(made, columns, target.first + group + in_group * target.row_stride);
      if (++in_group < target.group) continue;
      in_group = 0;
      group += target.group_stride;
    }
  }
}

}  // namespace nowhere
