#include "tensor/pictures.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

// [1,1,n,3]
torch::Tensor colours(std::vector<std::vector<int>> rgb) {
  torch::Tensor bytes = torch::empty({1, 1, static_cast<int64_t>(rgb.size()), kChannels}, torch::kByte);
  for (size_t i = 0; i < rgb.size(); ++i)
    for (size_t c = 0; c < 3; ++c) bytes[0][0][static_cast<int64_t>(i)][static_cast<int64_t>(c)] = rgb[i][c];
  return bytes;
}

// What PIL's convert("L") gives.
TEST(Pictures, GreyIsTheLuminance) {
  const torch::Tensor grey =
      to_grey(colours({{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}, {0, 0, 0}, {12, 200, 77}}));
  const std::vector<int> expected = {76, 150, 29, 255, 0, 130};
  ASSERT_EQ(grey.sizes().vec(), (std::vector<int64_t>{1, 1, 6, 3}));
  for (size_t i = 0; i < expected.size(); ++i)
    for (int64_t c = 0; c < 3; ++c)
      EXPECT_EQ(grey[0][0][static_cast<int64_t>(i)][c].item<int>(), expected[i]) << i;
}

TEST(Pictures, ABatchOfOneChannelIsGrey) {
  constexpr int64_t kSize = 4;
  torch::manual_seed(1);
  const torch::Tensor bytes = torch::randint(0, 256, {2, kSize, kSize, kChannels}, torch::kByte);
  const torch::Tensor floats = bytes.to(torch::kFloat).div(127.5).sub(1).contiguous();
  Batch batch;
  batch.floats = floats.const_data_ptr<float>();
  batch.count = 2;
  EXPECT_TRUE(torch::equal(float_batch(batch, kSize, 3), floats.permute({0, 3, 1, 2})));
  const torch::Tensor grey = float_batch(batch, kSize, 1);
  ASSERT_EQ(grey.sizes().vec(), (std::vector<int64_t>{2, 1, kSize, kSize}));
  const torch::Tensor difference = to_bytes(grey).to(torch::kInt) - to_grey(bytes).to(torch::kInt);
  EXPECT_LE(difference.abs().max().item<int>(), 1);
}

TEST(Pictures, BytesAreTheNearestLevelsHalvesToTheEvenOne) {
  torch::manual_seed(2);
  torch::Tensor pictures = torch::rand({2, 3, 16, 16}) * 2.4 - 1.2;  // some outside [-1,1]
  pictures.flatten().narrow(0, 0, 256).copy_((torch::arange(256).to(torch::kFloat) + 0.5) / 127.5 - 1);
  const torch::Tensor expected =
      ((pictures + 1) * 127.5).round().clamp(0, 255).to(torch::kByte).permute({0, 2, 3, 1});
  EXPECT_TRUE(torch::equal(to_bytes(pictures), expected));
  EXPECT_TRUE(torch::equal(to_bytes(pictures.contiguous(torch::MemoryFormat::ChannelsLast)), expected));
}

TEST(Pictures, OneChannelBecomesThreeEqualOnes) {
  const torch::Tensor grey = torch::linspace(-1, 1, 16).view({1, 1, 4, 4});
  const torch::Tensor bytes = to_bytes(grey);
  ASSERT_EQ(bytes.sizes().vec(), (std::vector<int64_t>{1, 4, 4, 3}));
  const std::vector<Image> images = to_images(grey);
  ASSERT_EQ(images.size(), 1u);
  for (size_t i = 0; i < 16; ++i)
    for (size_t c = 0; c < 3; ++c)
      EXPECT_EQ(images[0].pixels[3 * i + c],
                static_cast<uint8_t>(std::lround(17.0 * static_cast<double>(i))));
}

}  // namespace
}  // namespace nowhere
