#include "kernels/bf16.h"

#include <limits>

#include "kernels/test_targets.h"

namespace nowhere {
namespace {

using Halves = std::vector<Bf16>;

// As LibTorch's c10::BFloat16 defines it.
Bf16 rounded(float number) {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  if (std::isnan(number)) return 0x7fc0;
  return static_cast<Bf16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Ordinary numbers, and one of each kind where rounding may go wrong.
std::vector<float> numbers_to_round(int64_t count) {
  using Limits = std::numeric_limits<float>;
  const auto of_bits = [](uint32_t bits) { return std::bit_cast<float>(bits); };
  const float special[] = {0.0f,
                           -0.0f,
                           Limits::infinity(),
                           -Limits::infinity(),
                           Limits::quiet_NaN(),
                           of_bits(0x7f800001),  // NaNs whose upper half alone is an infinity
                           of_bits(0xff800001),
                           of_bits(0x7fffffff),  // NaNs that would overflow
                           of_bits(0xffffffff),
                           Limits::max(),  // rounds to infinity
                           Limits::lowest(),
                           Limits::denorm_min(),
                           of_bits(0x00008000),
                           of_bits(0x00018000),
                           of_bits(0x3f808000),  // halfway, the even one is below
                           of_bits(0x3f818000),  // halfway, the even one is above
                           of_bits(0x3f808001),
                           of_bits(0x3f817fff),
                           of_bits(0xbf818000)};
  std::vector<float> numbers = test_numbers(count, 3);
  for (size_t i = 0; i < numbers.size() && i < std::size(special); ++i)
    numbers[numbers.size() - 1 - i] = special[i];
  return numbers;
}

class Bf16Conversion : public TargetTest {};

TEST_P(Bf16Conversion, RoundsToTheNearestAndKeepsNaN) {
  for (int64_t count = 0; count < 70; ++count) {
    const std::vector<float> numbers = numbers_to_round(count);
    Halves made(numbers.size()), expected;
    for (const float number : numbers) expected.push_back(rounded(number));
    to_bf16(numbers.data(), count, made.data());
    EXPECT_EQ(made, expected);
  }
}

TEST_P(Bf16Conversion, PutsTwoRowsInPairs) {
  for (int64_t count = 0; count < 70; ++count) {
    const std::vector<float> odd = numbers_to_round(count);
    const std::vector<float> even(odd.rbegin(), odd.rend());
    Halves made(2 * odd.size()), expected;
    for (size_t i = 0; i < odd.size(); ++i) {
      expected.push_back(rounded(even[i]));
      expected.push_back(rounded(odd[i]));
    }
    to_bf16_pairs(even.data(), odd.data(), count, made.data());
    EXPECT_EQ(made, expected);
  }
}

TEST_P(Bf16Conversion, TransposesPairs) {
  for (const size_t rows : {1, 3, 4, 11, 16})
    for (const size_t columns : {1, 2, 4, 7, 8, 33}) {
      const size_t from_stride = columns + 3, to_stride = rows + 1;
      Halves from(2 * ((rows - 1) * from_stride + columns)),
          to(2 * ((columns - 1) * to_stride + rows), 0xffff);
      for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Bf16>(i);
      Halves expected = to;
      for (size_t row = 0; row < rows; ++row)
        for (size_t column = 0; column < columns; ++column)
          for (size_t half = 0; half < 2; ++half)
            expected[(column * to_stride + row) * 2 + half] = from[(row * from_stride + column) * 2 + half];
      transpose_pairs(from.data(), static_cast<int64_t>(from_stride), static_cast<int64_t>(rows),
                      static_cast<int64_t>(columns), to.data(), static_cast<int64_t>(to_stride));
      EXPECT_EQ(to, expected) << rows << " x " << columns;
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Bf16Conversion, every_target(), target_name);

}  // namespace
}  // namespace nowhere
