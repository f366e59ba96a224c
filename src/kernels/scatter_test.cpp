#include "kernels/scatter.h"

#include "kernels/test_targets.h"

namespace nowhere {
namespace {

const std::vector<int64_t> kSides = {1, 2, 4, 8}, kChannels = {1, 3, 4, 5, 7, 16, 17, 33, 64};

// By definition: tap (i, j) of the place (y, x) goes to (2y - 1 + i, 2x - 1 + j) of the large map.
std::vector<float> expected(const std::vector<float>& columns, int64_t side, int64_t channels,
                            const std::vector<float>& bias) {
  const int64_t large = 2 * side;
  std::vector<float> out;
  for (int64_t place = 0; place < large * large; ++place) out.insert(out.end(), bias.begin(), bias.end());
  for (int64_t tap = 0; tap < kKernelSide * kKernelSide; ++tap)
    for (int64_t place = 0; place < side * side; ++place) {
      const int64_t row = 2 * (place / side) - 1 + tap / kKernelSide,
                    column = 2 * (place % side) - 1 + tap % kKernelSide;
      if (row < 0 || row >= large || column < 0 || column >= large) continue;
      for (int64_t c = 0; c < channels; ++c)
        out[(row * large + column) * channels + c] +=
            columns[(place * kKernelSide * kKernelSide + tap) * channels + c];
    }
  return out;
}

class Scatter : public TargetTest {};

TEST_P(Scatter, SumsTheTapsOntoTheBias) {
  for (const int64_t side : kSides)
    for (const int64_t channels : kChannels) {
      const std::vector<float> bias = test_numbers(channels, 1);
      const std::vector<float> columns = test_numbers(side * side * kKernelSide * kKernelSide * channels, 2);
      std::vector<float> out(static_cast<size_t>(4 * side * side * channels), std::nanf(""));
      scatter_picture(columns.data(), side, channels, bias.data(), out.data());
      EXPECT_EQ(bits_of(out), bits_of(expected(columns, side, channels, bias)))
          << "side " << side << ", " << channels << " channels";
    }
}

// Large and small numbers in turn: any other order of the sums would round differently.
TEST_P(Scatter, KeepsTheOrderOfSums) {
  constexpr int64_t kSide = 4, kWidth = 19;
  const std::vector<float> bias = test_numbers(kWidth, 3);
  std::vector<float> columns = test_numbers(kSide * kSide * kKernelSide * kKernelSide * kWidth, 4);
  for (size_t i = 0; i < columns.size(); ++i)
    if (i / kWidth % 3 == 0) columns[i] *= 1e6f;
  std::vector<float> out(4 * kSide * kSide * kWidth);
  scatter_picture(columns.data(), kSide, kWidth, bias.data(), out.data());
  EXPECT_EQ(bits_of(out), bits_of(expected(columns, kSide, kWidth, bias)));
}

INSTANTIATE_TEST_SUITE_P(Targets, Scatter, every_target(), target_name);

}  // namespace
}  // namespace nowhere
