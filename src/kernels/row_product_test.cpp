#include "kernels/row_product.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

// 13 rows of 21 numbers, each times one matrix and its second neighbour times another, 70 columns: no tile
// fits evenly.
constexpr int64_t kRows = 13, kDepth = 21, kColumns = 70, kNeighbour = 2, kGroup = 5;

struct Product {
  std::vector<float> source = test_numbers((kRows + kNeighbour + kSpareRows) * kDepth, 1);
  std::vector<float> first = test_numbers(kDepth * kColumns, 2), second = test_numbers(kDepth * kColumns, 3);
  std::vector<float> bias = test_numbers(kColumns, 4);

  double exact(int64_t row, int64_t column, bool with_neighbour) const {
    double sum = bias[column];
    for (int64_t k = 0; k < kDepth; ++k) {
      sum += static_cast<double>(source[row * kDepth + k]) * first[k * kColumns + column];
      if (with_neighbour)
        sum += static_cast<double>(source[(row + kNeighbour) * kDepth + k]) * second[k * kColumns + column];
    }
    return sum;
  }
};

// In groups of kGroup rows with a gap of one row between them; what is not written is NaN.
std::vector<float> multiplied(const Product& product, bool with_neighbour, float floor) {
  const TileKernel kernel = tile_kernel();
  const PackedMatrix first(kernel, product.first, kColumns), second(kernel, product.second, kColumns);
  const Factor factors[] = {{0, &first}, {kNeighbour * kDepth, &second}};
  std::vector<float> out((kRows / kGroup + 1) * (kGroup + 1) * kColumns, std::nanf(""));
  const std::vector<float> bias = padded_bias(kernel, product.bias);
  for (int64_t panel = 0; panel < first.count(); ++panel)
    multiply_rows(kernel, {product.source.data(), kDepth, kRows}, {factors, with_neighbour ? 2u : 1u}, panel,
                  {bias, floor}, {out.data(), kGroup, (kGroup + 1) * kColumns, kColumns});
  return out;
}

// Any size, with as many factors as there may be: each row, the one before it and the two behind it. Exactly
// the memory that the headers ask for; numbers that must not be used are NaN.
struct ManyFactors {
  int64_t rows, depth, columns, stride = depth + 2;
  std::vector<int64_t> offsets = {0, -stride, 2 * stride, stride};
  std::vector<float> source = test_numbers((rows + 2 + kSpareRows) * stride + depth, 5);
  std::vector<std::vector<float>> matrices;
  std::vector<float> bias = test_numbers(columns, 6);
  int64_t group = 3, row_stride = columns + 1, group_stride = 4 * row_stride;

  ManyFactors(int64_t rows_, int64_t depth_, int64_t columns_)
      : rows(rows_), depth(depth_), columns(columns_) {
    for (size_t i = 0; i < source.size(); ++i) {
      const auto row = static_cast<int64_t>(i) / stride;  // the first is the one before the first
      if (static_cast<int64_t>(i) % stride >= depth || row >= rows + 3) source[i] = std::nanf("");
    }
    for (uint64_t factor = 0; factor < kMaxFactors; ++factor)
      matrices.push_back(test_numbers(depth * columns, 10 + factor));
  }

  int64_t place(int64_t row) const { return row / group * group_stride + row % group * row_stride; }
  std::vector<float> unwritten() const {
    return std::vector<float>(static_cast<size_t>(place(rows - 1) + columns), std::nanf(""));
  }

  std::vector<float> multiplied(int threads) const {
    const TileKernel kernel = tile_kernel();
    std::vector<PackedMatrix> panels;
    std::vector<Factor> factors;
    for (const auto& matrix : matrices) panels.emplace_back(kernel, matrix, columns);
    for (size_t i = 0; i < panels.size(); ++i) factors.push_back({offsets[i], &panels[i]});
    const std::vector<float> padded = padded_bias(kernel, bias);
    std::vector<float> out = unwritten();
    parallel_for(static_cast<size_t>(panels.front().count()), threads, [&](size_t panel) {
      multiply_rows(kernel, {source.data() + stride, stride, rows}, factors, static_cast<int64_t>(panel),
                    {padded, kNoFloor}, {out.data(), group, group_stride, row_stride});
    });
    return out;
  }

  std::vector<float> expected(int64_t target) const {
    std::vector<float> out = unwritten();
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column) {
        float sum = bias[column];
        for (size_t i = 0; i < matrices.size(); ++i)
          for (int64_t k = 0; k < depth; ++k)
            sum = multiply_add(target, source[(row + 1) * stride + offsets[i] + k],
                               matrices[i][k * columns + column], sum);
        out[place(row) + column] = sum;
      }
    return out;
  }
};

class RowProduct : public TargetTest {};

TEST_P(RowProduct, IsTheSumOfItsFactors) {
  const Product product;
  for (const bool with_neighbour : {false, true}) {
    const std::vector<float> out = multiplied(product, with_neighbour, -1e9f);
    size_t written = 0;
    for (int64_t row = 0; row < kRows; ++row)
      for (int64_t column = 0; column < kColumns; ++column, ++written)
        ASSERT_NEAR(out[(row / kGroup * (kGroup + 1) + row % kGroup) * kColumns + column],
                    product.exact(row, column, with_neighbour), 1e-4)
            << row << " " << column;
    size_t numbers = 0;
    for (float number : out) numbers += !std::isnan(number);
    EXPECT_EQ(numbers, written);  // and nothing beside them
  }
}

TEST_P(RowProduct, NothingIsBelowTheFloor) {
  const Product product;
  const std::vector<float> all = multiplied(product, true, -1e9f), floored = multiplied(product, true, 0);
  for (size_t i = 0; i < all.size(); ++i)
    if (!std::isnan(all[i])) {
      EXPECT_EQ(floored[i], std::max(all[i], 0.0f));
    }
}

TEST_P(RowProduct, HasTheBitsOfOneChainOfSumsForAnySize) {
  for (const int64_t rows : {1, 2, 4, 6, 7, 8, 13})
    for (const int64_t depth : {1, 3, 5, 7, 17, 33})
      for (const int64_t columns : {1, 3, 5, 7, 17, 33, 48, 65}) {
        const ManyFactors product(rows, depth, columns);
        ASSERT_EQ(bits_of(product.multiplied(1)), bits_of(product.expected(GetParam())))
            << rows << " rows of " << depth << " times " << columns << " columns";
      }
}

TEST_P(RowProduct, PanelsCanRunOnSeveralThreads) {
  const ManyFactors product(8, 5, 150);
  EXPECT_EQ(bits_of(product.multiplied(4)), bits_of(product.expected(GetParam())));
}

TEST_P(RowProduct, PanelsHoldTheMatrixAndThenZeros) {
  const TileKernel kernel = tile_kernel();
  const int64_t depth = 3, columns = kernel.columns + 1;
  const std::vector<float> matrix = test_numbers(depth * columns, 7);
  const PackedMatrix panels(kernel, matrix, columns);
  ASSERT_EQ(panels.depth(), depth);
  ASSERT_EQ(panels.count(), 2);
  for (int64_t column = 0; column < 2 * kernel.columns; ++column)
    for (int64_t row = 0; row < depth; ++row)
      ASSERT_EQ(panels.panel(column / kernel.columns)[row * kernel.columns + column % kernel.columns],
                column < columns ? matrix[row * columns + column] : 0);
}

TEST_P(RowProduct, ATileReadsNoMoreThanTheSpareRows) {
  EXPECT_LE(tile_kernel().rows - 1, kSpareRows);
}

INSTANTIATE_TEST_SUITE_P(Targets, RowProduct, every_target(), target_name);

TEST(RowProductBits, AreTheSameOnAllProcessorsThatFuse) {
  const Product product;
  std::vector<float> expected;
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target > HWY_AVX2) continue;  // the older ones round after multiplying
    hwy::SetSupportedTargetsForTest(target);
    const std::vector<float> out = multiplied(product, true, 0);
    if (expected.empty()) expected = out;
    for (size_t i = 0; i < out.size(); ++i)
      if (!std::isnan(out[i])) {
        EXPECT_EQ(out[i], expected[i]) << hwy::TargetName(target);
      }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace nowhere
