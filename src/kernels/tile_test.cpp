#include "kernels/tile.h"

#include <algorithm>
#include <limits>

#include "kernels/test_targets.h"

namespace nowhere {
namespace {

const std::vector<int64_t> kDepths = {1, 3, 5, 7, 17, 33};

// What is between the rows and not to be used is NaN.
std::vector<float> rows_with_gaps(int64_t rows, int64_t depth, int64_t stride, uint64_t seed) {
  std::vector<float> numbers = test_numbers((rows - 1) * stride + depth, seed);
  for (size_t i = 0; i < numbers.size(); ++i)
    if (static_cast<int64_t>(i) % stride >= depth) numbers[i] = std::nanf("");
  return numbers;
}

struct Operands {
  std::vector<std::vector<float>> rows, panels;
  std::vector<float> bias;
  int64_t stride, depth;

  Operands(const TileKernel& kernel, int64_t taps, int64_t depth_of_each, int64_t gap)
      : bias(test_numbers(kernel.columns, 1)), stride(depth_of_each + gap), depth(depth_of_each) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      rows.push_back(rows_with_gaps(kernel.rows, depth, stride, 10 + static_cast<uint64_t>(tap)));
      panels.push_back(test_numbers(depth * kernel.columns, 20 + static_cast<uint64_t>(tap)));
    }
  }

  std::vector<float> tile(const TileKernel& kernel, float floor) const {
    std::vector<TileTap> taps;
    for (size_t tap = 0; tap < rows.size(); ++tap) taps.push_back({rows[tap].data(), panels[tap].data()});
    std::vector<float> out(static_cast<size_t>(kernel.rows * kernel.columns));
    kernel.make(taps, stride, depth, bias.data(), floor, out.data());
    return out;
  }

  std::vector<float> expected(const TileKernel& kernel, int64_t target, float floor) const {
    std::vector<float> out;
    for (int row = 0; row < kernel.rows; ++row)
      for (int column = 0; column < kernel.columns; ++column) {
        float sum = bias[column];
        for (size_t tap = 0; tap < rows.size(); ++tap)
          for (int64_t k = 0; k < depth; ++k)
            sum = multiply_add(target, rows[tap][row * stride + k], panels[tap][k * kernel.columns + column],
                               sum);
        out.push_back(std::max(sum, floor));
      }
    return out;
  }
};

class Tile : public TargetTest {};

TEST_P(Tile, IsTheChainOfSumsOverTapsAndDepth) {
  for (const TileKernel& kernel : {tile_kernel(), tile_kernel(48)})
    for (const int64_t taps : {1, 2, 4})
      for (const int64_t depth : kDepths)
        for (const int64_t gap : {0, 2}) {
          const Operands operands(kernel, taps, depth, gap);
          EXPECT_EQ(bits_of(operands.tile(kernel, kNoFloor)),
                    bits_of(operands.expected(kernel, GetParam(), kNoFloor)))
              << taps << " taps of depth " << depth << ", gap " << gap << ", columns " << kernel.columns;
        }
}

TEST_P(Tile, IsAsWideAsSuitsTheColumns) {
  for (const int64_t columns : {16, 48, 64, 512}) {
    const TileKernel kernel = tile_kernel(columns);
    EXPECT_LE(kernel.rows, 8);  // products may read so many rows behind the last one
    EXPECT_EQ(kernel.rows * kernel.columns, tile_kernel().rows * tile_kernel().columns);
    if (columns >= 48) {
      EXPECT_EQ(columns % kernel.columns, 0) << columns;
    }
  }
}

TEST_P(Tile, IsNowhereBelowTheFloor) {
  const TileKernel kernel = tile_kernel();
  const Operands operands(kernel, 2, 5, 0);
  const std::vector<float> floored = operands.tile(kernel, 0.5f);
  EXPECT_EQ(floored, operands.expected(kernel, GetParam(), 0.5f));
  EXPECT_EQ(std::ranges::min(floored), 0.5f);
}

INSTANTIATE_TEST_SUITE_P(Targets, Tile, every_target(), target_name);

}  // namespace
}  // namespace nowhere
