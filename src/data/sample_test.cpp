#include "data/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/normal_table.h"

namespace nowhere {
namespace {

constexpr AugmentConfig kCentre{.crop = Crop::kCentre, .flip = false};

// A frame in which red is the column and green the row, both scaled to bytes.
Image ramp(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      uint8_t* pixel =
          image.pixels.data() +
          (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * kChannels;
      pixel[0] = static_cast<uint8_t>(255 * x / (width - 1));
      pixel[1] = static_cast<uint8_t>(255 * y / (height - 1));
    }
  return image;
}

std::vector<uint8_t> sample_of(const PhotoFrame& frame, SampleConfig config) {
  std::vector<uint8_t> out(static_cast<size_t>(config.size) * static_cast<size_t>(config.size) * kChannels);
  SampleMaker(config, nullptr).bytes(frame, SampleDraws(1, 0, 0), out.data());
  return out;
}

TEST(Sample, ShowsTheCropThatWasAskedFor) {
  const Image image = ramp(640, 480);
  const PhotoFrame whole{image.view(), 480, 1};
  SampleConfig config{.size = 64, .augment = kCentre};
  config.augment.crop_size = *CropSize::parse("4x");
  const std::vector<uint8_t> sample = sample_of(whole, config);
  // The central 256 pixels: columns 192 to 448 of 640, rows 112 to 368 of 480.
  EXPECT_NEAR(sample[0], 255.0 * 194 / 640, 2);
  EXPECT_NEAR(sample[1], 255.0 * 114 / 480, 2);
  const uint8_t* last = &sample[sample.size() - kChannels];
  EXPECT_NEAR(last[0], 255.0 * 446 / 640, 2);
  EXPECT_NEAR(last[1], 255.0 * 366 / 480, 2);
}

TEST(Sample, ACropInPixelsMeansThePhotographsOwn) {
  const Image image = ramp(320, 240);  // a photograph of 640 x 480, decoded at half its size
  SampleConfig config{.size = 64, .augment = kCentre};
  config.augment.crop_size = *CropSize::parse("256");
  const std::vector<uint8_t> sample = sample_of({image.view(), 480, 0.5}, config);
  EXPECT_NEAR(sample[0], 255.0 * 194 / 640, 2);
  EXPECT_NEAR(sample[1], 255.0 * 114 / 480, 2);
}

TEST(Sample, NoiseHasTheDeviationOfPixelsBetween0And1) {
  Image grey(64, 64);
  std::fill(grey.pixels.begin(), grey.pixels.end(), uint8_t{128});
  const PhotoFrame frame{grey.view(), 64, 1};
  const NormalTable normal;
  SampleConfig config{.size = 64, .augment = kCentre, .noise = 0.05};
  SampleMaker maker(config, &normal);
  std::vector<float> floats(64 * 64 * 3);
  maker.floats(frame, SampleDraws(7, 3, 9), floats.data());
  const double mean = std::accumulate(floats.begin(), floats.end(), 0.0) / static_cast<double>(floats.size());
  double squares = 0;
  for (float value : floats) squares += (value - mean) * (value - mean);
  EXPECT_NEAR(mean, 128 / 127.5 - 1, 0.005);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(floats.size())), 0.1, 0.003);  // in [-1,1]

  std::vector<uint8_t> bytes(floats.size());
  maker.bytes(frame, SampleDraws(7, 3, 9), bytes.data());
  for (size_t i = 0; i < bytes.size(); ++i) ASSERT_NEAR(bytes[i], (floats[i] + 1) * 127.5, 0.51);
}

TEST(Sample, NoiseDoesNotMoveTheCrop) {
  const Image image = ramp(640, 480);
  const PhotoFrame frame{image.view(), 480, 1};
  const NormalTable normal;
  SampleConfig config{.size = 32};
  std::vector<float> plain(32 * 32 * 3), noisy(plain.size());
  for (uint64_t photo = 0; photo < 20; ++photo) {
    config.noise = 0;
    SampleMaker(config, nullptr).floats(frame, SampleDraws(1, 0, photo), plain.data());
    config.noise = 0.001;
    SampleMaker(config, &normal).floats(frame, SampleDraws(1, 0, photo), noisy.data());
    for (size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(noisy[i], plain[i], 0.02);
  }
}

TEST(NormalTable, IsStandardNormal) {
  const NormalTable normal;
  Random random(5, Purpose::kPhotoNoise);
  std::vector<float> values(400'003);
  normal.add(random, 1, values);
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0, fourth = 0, within = 0;
  for (double value : values) {
    mean += value / count;
    squares += value * value / count;
    fourth += value * value * value * value / count;
    within += (std::abs(value) < 1) / count;
  }
  EXPECT_NEAR(mean, 0, 0.01);
  EXPECT_NEAR(squares, 1, 0.01);
  EXPECT_NEAR(fourth, 3, 0.1);
  EXPECT_NEAR(within, 0.6827, 0.004);
}

}  // namespace
}  // namespace nowhere
