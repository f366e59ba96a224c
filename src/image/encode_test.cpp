#include "image/encode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vips/vips8>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "image/decode.h"
#include "image/grid.h"

namespace nowhere {
namespace {

// A smooth picture, which lossy formats change little.
Image gradient(int width, int height, int phase = 0) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      uint8_t* pixel = image.row(y) + x * 3;
      pixel[0] = static_cast<uint8_t>(x * 255 / width);
      pixel[1] = static_cast<uint8_t>(y * 255 / height);
      pixel[2] = static_cast<uint8_t>((x + y + phase * 8) % 256);
    }
  return image;
}

double mean_difference(const Image& a, const Image& b) {
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(int{a.pixels[i]} - int{b.pixels[i]});
  return sum / static_cast<double>(a.pixels.size());
}

Image decoded(const std::vector<uint8_t>& bytes) {
  Image image;
  EXPECT_TRUE(Decoder().decode(bytes, {}, image));
  return image;
}

TEST(Encode, StillPicturesAreReadBack) {
  const Image image = gradient(64, 48);
  EXPECT_EQ(decoded(encode_png(image)).pixels, image.pixels);
  EXPECT_LT(mean_difference(decoded(encode_jpeg(image)), image), 2);
  EXPECT_LT(mean_difference(decoded(encode_webp(image)), image), 4);
}

TEST(Encode, PngKeepsEveryPixelOfAnySize) {
  using Size = std::pair<int, int>;
  for (const auto& [width, height] :
       {Size(1, 1), Size(1, 7), Size(5, 1), Size(17, 9), Size(276, 276), Size(3000, 40)})
    // One colour, soft noise, and noise that cannot be compressed.
    for (const uint32_t roughness : {0, 1, 255}) {
      Image image(width, height);
      uint32_t state = 1;
      for (uint8_t& byte : image.pixels) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<uint8_t>(200 + (state >> 24) % (roughness + 1));
      }
      const Image read = decoded(encode_png(image));
      EXPECT_EQ(read.width, width);
      EXPECT_EQ(read.height, height);
      EXPECT_EQ(read.pixels, image.pixels) << width << " x " << height << ", " << roughness;
    }
  EXPECT_THROW(encode_png(Image()), Error);
}

TEST(Encode, AnimationsHaveAllFramesAndTimes) {
  std::vector<Image> frames;
  for (int i = 0; i < 5; ++i) frames.push_back(gradient(32, 32, i));
  for (const auto& bytes : {encode_gif(frames, 120), encode_webp_animation(frames, 120)}) {
    const vips::VImage image =
        vips::VImage::new_from_buffer(bytes.data(), bytes.size(), "", vips::VImage::option()->set("n", -1));
    EXPECT_EQ(image.get_int("n-pages"), 5);
    EXPECT_EQ(image.get_int("page-height"), 32);
    EXPECT_EQ(image.get_array_int("delay"), std::vector<int>(5, 120));
    EXPECT_EQ(image.get_int("loop"), 0);
  }
}

// Blocks of a GIF: a palette after the screen descriptor, and none in front of any frame.
TEST(Encode, AGifHasOnePalette) {
  std::vector<Image> frames;
  for (int i = 0; i < 4; ++i) frames.push_back(gradient(32, 32, 30 * i));
  const auto gif = encode_gif(frames, 100);
  ASSERT_TRUE(gif[10] & 0x80) << "a global palette";
  size_t at = 13 + 3 * (size_t{2} << (gif[10] & 7));
  const auto skip_blocks = [&] {
    while (gif[at] != 0) at += gif[at] + 1u;
    ++at;
  };
  int images = 0;
  while (gif[at] != 0x3b) {
    if (gif[at] == 0x21) {
      at += 2;
    } else {
      ASSERT_EQ(gif[at], 0x2c);
      EXPECT_FALSE(gif[at + 9] & 0x80) << "frame " << images << " brings a palette of its own";
      ++images;
      at += 11;
    }
    skip_blocks();
  }
  EXPECT_EQ(images, 4);
}

// In order, but for some in front that give the palette.
TEST(Encode, AGifAsksForItsFramesOneByOne) {
  constexpr int kCount = 300, kSide = 64;
  Image frame(kSide, kSide);
  std::vector<int> asked;
  const FrameSequence frames{.width = kSide, .height = kSide, .count = kCount, .frame = [&](int number) {
                               asked.push_back(number);
                               std::fill(frame.pixels.begin(), frame.pixels.end(),
                                         static_cast<uint8_t>(number * 255 / kCount));
                               return frame.view();
                             }};
  const auto gif = encode_gif(frames, 50);
  ASSERT_GT(asked.size(), static_cast<size_t>(kCount));
  const std::vector<int> written(asked.end() - kCount, asked.end());
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(written[static_cast<size_t>(i)], i);
  EXPECT_LE(asked.size(), static_cast<size_t>(kCount) + 16);
  EXPECT_EQ(asked.front(), 0);
  const vips::VImage image =
      vips::VImage::new_from_buffer(gif.data(), gif.size(), "", vips::VImage::option()->set("n", -1));
  EXPECT_EQ(image.get_int("n-pages"), kCount);
}

TEST(Encode, AGifsFramesAreTheOnesGiven) {
  std::vector<Image> given;
  for (int i = 0; i < 40; ++i) given.push_back(Image(31, 17, static_cast<uint8_t>(6 * i)));
  const auto gif = encode_gif(given, 50);
  for (int i = 0; i < 40; ++i) {
    const vips::VImage frame =
        vips::VImage::new_from_buffer(gif.data(), gif.size(), "", vips::VImage::option()->set("page", i));
    EXPECT_EQ(frame.width(), 31);
    EXPECT_EQ(frame.height(), 17);
    EXPECT_NEAR(frame.avg() * frame.bands(), 3.0 * 6 * i + (frame.bands() == 4 ? 255 : 0), 40) << i;
  }
}

TEST(Encode, WhatAFrameThrowsReachesTheCaller) {
  const Image frame(8, 8);
  const auto broken = [&](int at) {
    return FrameSequence{.width = 8, .height = 8, .count = 40, .frame = [&frame, at](int number) {
                           if (number == at) throw data_error("frame.png is damaged");
                           return frame.view();
                         }};
  };
  for (const int at : {0, 1, 39}) {
    try {
      encode_gif(broken(at), 50);
      FAIL() << at;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "frame.png is damaged") << at;
    }
  }
  EXPECT_THROW(encode_gif({Image(8, 8), Image(8, 9)}, 50), Error);
  EXPECT_THROW(encode_gif(std::vector<Image>(), 50), Error);
}

TEST(Encode, TheEndingDecidesTheFormat) {
  const TestFolder folder;
  const Image image = gradient(16, 16);
  for (const char* name : {"a.png", "a.jpg", "a.JPEG", "a.webp"}) {
    write_image(folder.path() / name, image);
    std::vector<uint8_t> bytes;
    ASSERT_TRUE(read_file(folder.path() / name, bytes));
    EXPECT_EQ(decoded(bytes).width, 16) << name;
  }
  try {
    write_image(folder.path() / "a.bmp", image);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
  }
}

TEST(Grid, PutsPicturesInRows) {
  const std::vector<Image> pictures = {Image(2, 3, 10), Image(2, 3, 20), Image(2, 3, 30)};
  const Image grid = make_grid(pictures, 2, 1, 255);
  EXPECT_EQ(grid.width, 1 + 2 * 3);
  EXPECT_EQ(grid.height, 1 + 2 * 4);
  EXPECT_EQ(grid.row(0)[0], 255);
  EXPECT_EQ(grid.row(1)[1 * 3], 10);
  EXPECT_EQ(grid.row(1)[4 * 3], 20);
  EXPECT_EQ(grid.row(5)[1 * 3], 30);
  EXPECT_EQ(grid.row(5)[4 * 3], 255);
  EXPECT_EQ(make_grid(pictures, 8, 0).width, 6);  // no more columns than pictures
  EXPECT_THROW(make_grid({}, 2, 1), Error);
  EXPECT_THROW(make_grid({Image(2, 3), Image(3, 2)}, 2, 1), Error);
}

}  // namespace
}  // namespace nowhere
