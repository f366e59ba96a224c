#include "image/resize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/random.h"
#include "image/kernels.h"

namespace nowhere {
namespace {

Image noise(int width, int height, uint64_t seed) {
  Image image(width, height);
  Random random(seed, Purpose::kSynth);
  for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(random.below(256));
  return image;
}

// The definition, in double precision and without optimisation.
Image slow_resize(const Image& source, Box box, int width, int height) {
  const ResizeWeights across = bicubic_weights(box.width, width), down = bicubic_weights(box.height, height);
  Image out(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (int j = 0; j < down.taps; ++j)
          for (int i = 0; i < across.taps; ++i)
            sum += double{down.weights[static_cast<size_t>(y * down.taps + j)]} *
                   across.weights[static_cast<size_t>(x * across.taps + i)] *
                   source.row(box.y + down.first[static_cast<size_t>(y)] +
                              j)[(box.x + across.first[static_cast<size_t>(x)] + i) * 3 + c];
        out.row(y)[x * 3 + c] = static_cast<uint8_t>(std::clamp(std::nearbyint(sum), 0.0, 255.0));
      }
  return out;
}

TEST(Resize, WeightsSumToOneAndStayInside) {
  for (const auto& [input, output] :
       {std::pair(480, 64), {64, 480}, {1, 7}, {7, 1}, {120, 64}, {64, 64}, {5, 3}}) {
    const ResizeWeights weights = bicubic_weights(input, output);
    for (int i = 0; i < output; ++i) {
      const auto begin = weights.weights.begin() + i * weights.taps;
      EXPECT_NEAR(std::accumulate(begin, begin + weights.taps, 0.0), 1, 1e-5);
      EXPECT_GE(weights.first[static_cast<size_t>(i)], 0);
      EXPECT_LE(weights.first[static_cast<size_t>(i)] + weights.taps, input);
    }
  }
}

TEST(Resize, MatchesTheDefinition) {
  Resizer resizer;
  const Image source = noise(97, 61, 1);
  const Box boxes[] = {{0, 0, 97, 61}, {13, 7, 50, 41}, {90, 50, 7, 11}, {0, 0, 1, 1}};
  for (const Box& box : boxes)
    for (const auto& [width, height] : {std::pair(32, 32), {17, 40}, {100, 80}, {1, 1}}) {
      std::vector<uint8_t> out(static_cast<size_t>(width * height) * 3);
      resizer.resize(source.view(), box, width, height, false, out.data());
      const Image expected = slow_resize(source, box, width, height);
      for (size_t i = 0; i < out.size(); ++i)
        ASSERT_NEAR(out[i], expected.pixels[i], 1) << width << "x" << height;
    }
}

TEST(Resize, FlipMirrorsTheWholePicture) {
  Resizer resizer;
  const Image source = noise(80, 60, 2);
  for (int size : {16, 24, 60}) {  // the last is a plain copy
    const Box box{10, 0, 60, 60};
    std::vector<uint8_t> straight(static_cast<size_t>(size * size) * 3), flipped(straight.size());
    resizer.resize(source.view(), box, size, size, false, straight.data());
    resizer.resize(source.view(), box, size, size, true, flipped.data());
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_EQ(flipped[static_cast<size_t>((y * size + x) * 3 + c)],
                    straight[static_cast<size_t>((y * size + size - 1 - x) * 3 + c)]);
  }
}

TEST(Resize, AFlatPictureStaysFlat) {
  const Image flat(333, 222, 77);
  for (uint8_t value : Resizer().resize(flat.view(), 64, 43).pixels) ASSERT_EQ(value, 77);
}

TEST(Resize, ShortSideKeepsTheRatio) {
  EXPECT_EQ(fit_short_side(640, 480, 120), std::pair(160, 120));
  EXPECT_EQ(fit_short_side(480, 640, 120), std::pair(120, 160));
  EXPECT_EQ(fit_short_side(10000, 3, 3), std::pair(10000, 3));
  EXPECT_EQ(fit_short_side(100, 100, 7), std::pair(7, 7));
}

TEST(Kernels, BytesBecomeSignedUnit) {
  std::vector<uint8_t> bytes(256 + 13);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  std::vector<float> floats(bytes.size());
  kernels::bytes_to_signed_unit(bytes.data(), bytes.size(), floats.data());
  for (size_t i = 0; i < bytes.size(); ++i)
    ASSERT_EQ(floats[i], static_cast<float>(bytes[i]) * (1.0f / 127.5f) - 1.0f);
  EXPECT_EQ(floats[0], -1.0f);
  EXPECT_EQ(floats[255], 1.0f);
}

}  // namespace
}  // namespace nowhere
