#include "kernels/row_product.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>

namespace nowhere {
namespace {

std::vector<float> some_numbers(size_t count, uint64_t seed) {
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(static_cast<float>(std::sin(static_cast<double>(i * 37 + seed * 101) * 0.7)));
  return numbers;
}

// 13 rows of 21 numbers, each times one matrix and its second neighbour times another, 70 columns: no tile fits evenly.
constexpr int64_t kRows = 13, kDepth = 21, kColumns = 70, kNeighbour = 2, kGroup = 5;

struct Product {
  std::vector<float> source = some_numbers((kRows + kNeighbour + kSpareRows) * kDepth, 1);
  std::vector<float> first = some_numbers(kDepth * kColumns, 2), second = some_numbers(kDepth * kColumns, 3);
  std::vector<float> bias = some_numbers(kColumns, 4);

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
  const Panels first(kernel, product.first, kColumns), second(kernel, product.second, kColumns);
  const Factor factors[] = {{0, &first}, {kNeighbour * kDepth, &second}};
  std::vector<float> out((kRows / kGroup + 1) * (kGroup + 1) * kColumns, std::nanf(""));
  const std::vector<float> bias = padded_bias(kernel, product.bias);
  for (int64_t panel = 0; panel < first.count(); ++panel)
    multiply_rows(kernel, {product.source.data(), kDepth, kRows}, {factors, with_neighbour ? 2u : 1u}, panel,
                  {bias, floor}, {out.data(), kGroup, (kGroup + 1) * kColumns, kColumns});
  return out;
}

class RowProduct : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

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

INSTANTIATE_TEST_SUITE_P(Processors, RowProduct, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& tested) { return hwy::TargetName(tested.param); });

TEST(RowProductBits, AreTheSameWithAnyFusedInstructions) {
  const Product product;
  std::vector<float> expected;
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target > HWY_AVX2) continue;  // older ones round after multiplying
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
