#include "kernels/low_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace nowhere {
namespace {

// By the definition: weights 1, 2, 1 down and across, places outside are the nearest ones inside.
std::vector<float> by_definition(const std::vector<float>& picture, int64_t side, int64_t channels) {
  constexpr float kWeights[] = {0.25f, 0.5f, 0.25f};
  std::vector<float> out(picture.size());
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x)
      for (int64_t c = 0; c < channels; ++c)
        for (int64_t dy = -1; dy <= 1; ++dy)
          for (int64_t dx = -1; dx <= 1; ++dx) {
            const int64_t from_y = std::clamp<int64_t>(y + dy, 0, side - 1),
                          from_x = std::clamp<int64_t>(x + dx, 0, side - 1);
            out[static_cast<size_t>((y * side + x) * channels + c)] +=
                kWeights[dy + 1] * kWeights[dx + 1] *
                picture[static_cast<size_t>((from_y * side + from_x) * channels + c)];
          }
  return out;
}

TEST(LowPass, IsTheBinomialFilterWithRepeatedEdges) {
  for (const int64_t side : {1, 2, 3, 8, 33})
    for (const int64_t channels : {1, 3, 5}) {
      std::vector<float> picture(static_cast<size_t>(side * side * channels));
      for (size_t i = 0; i < picture.size(); ++i)
        picture[i] = static_cast<float>(static_cast<int>(i * 2654435761u % 2001) - 1000) / 500;
      const std::vector<float> expected = by_definition(picture, side, channels);
      smooth_picture(picture.data(), side, channels);
      for (size_t i = 0; i < picture.size(); ++i)
        ASSERT_NEAR(picture[i], expected[i], 1e-5) << side << " " << channels << " " << i;
    }
}

TEST(LowPass, RemovesACheckerboardAndKeepsAFlatPicture) {
  constexpr int64_t kSide = 8;
  std::vector<float> board(kSide * kSide), flat(kSide * kSide, 0.3f);
  for (int64_t i = 0; i < kSide * kSide; ++i)
    board[static_cast<size_t>(i)] = (i / kSide + i % kSide) % 2 == 0 ? 1.0f : -1.0f;
  smooth_picture(board.data(), kSide, 1);
  smooth_picture(flat.data(), kSide, 1);
  for (int64_t y = 1; y < kSide - 1; ++y)
    for (int64_t x = 1; x < kSide - 1; ++x) EXPECT_EQ(board[static_cast<size_t>(y * kSide + x)], 0);
  for (const float value : flat) EXPECT_FLOAT_EQ(value, 0.3f);
}

}  // namespace
}  // namespace nowhere
