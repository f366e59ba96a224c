#include "kernels/block_product.h"

#include "kernels/test_targets.h"

namespace nowhere {
namespace {

class BlockProduct : public TargetTest {};

// What sums begin with is part of the chain only where they are added to.
TEST_P(BlockProduct, IsAChainOfSumsOverDepth) {
  for (const int64_t rows : {1, 5, 6, 13})
    for (const int64_t depth : {1, 7, 64})
      for (const int64_t columns : {16, 32, 48, 64, 112})
        for (const bool add : {false, true})
          for (const bool dense : {true, false}) {
            const std::vector<float> a = test_numbers(rows * depth, 1), b = test_numbers(depth * columns, 2),
                                     start = test_numbers(rows * columns, 3);
            const LeftBlock left = dense ? LeftBlock{a.data(), depth, 1} : LeftBlock{a.data(), 1, rows};
            std::vector<float> sums = start, expected = start;
            multiply_block(left, b.data(), {rows, depth, columns}, add, sums.data());
            for (int64_t row = 0; row < rows; ++row)
              for (int64_t column = 0; column < columns; ++column) {
                float& sum = expected[static_cast<size_t>(row * columns + column)];
                if (!add) sum = 0;
                for (int64_t k = 0; k < depth; ++k)
                  sum = multiply_add(GetParam(), left.first[row * left.row_stride + k * left.depth_stride],
                                     b[static_cast<size_t>(k * columns + column)], sum);
              }
            EXPECT_EQ(bits_of(sums), bits_of(expected))
                << rows << " x " << depth << " x " << columns << (add ? ", added" : "");
          }
}

INSTANTIATE_TEST_SUITE_P(Targets, BlockProduct, every_target(), target_name);

}  // namespace
}  // namespace nowhere
