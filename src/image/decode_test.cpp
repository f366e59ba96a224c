#include "image/decode.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/file.h"
#include "core/parallel.h"
#include "image/encode.h"
#include "image/limits.h"

namespace nowhere {
namespace {

using Colour = std::array<int, 3>;
constexpr Colour kRed = {220, 30, 30}, kGreen = {30, 200, 30}, kBlue = {30, 30, 220},
                 kWhite = {240, 240, 240};

std::vector<uint8_t> fixture(const std::string& name) {
  std::vector<uint8_t> bytes;
  const auto read = read_file(std::filesystem::path(NOWHERE_FIXTURES) / name, bytes);
  EXPECT_TRUE(read) << name;
  return bytes;
}

void expect_colour(const Image& image, int x, int y, Colour colour, int tolerance) {
  for (size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(image.row(y)[x * 3 + static_cast<int>(c)], colour[c], tolerance) << "at " << x << "," << y;
}

// The centres of the four quarters.
void expect_scene(const Image& image, std::array<Colour, 4> quarters, int tolerance) {
  ASSERT_EQ(image.width, 48);
  ASSERT_EQ(image.height, 32);
  expect_colour(image, 12, 8, quarters[0], tolerance);
  expect_colour(image, 36, 8, quarters[1], tolerance);
  expect_colour(image, 12, 24, quarters[2], tolerance);
  expect_colour(image, 36, 24, quarters[3], tolerance);
}

Image decoded(std::span<const uint8_t> bytes) {
  Image image;
  const auto result = Decoder().decode(bytes, {}, image);
  EXPECT_TRUE(result) << (result ? "" : result.error().reason);
  return image;
}

TEST(Decode, EveryFormat) {
  const std::pair<const char*, int> files[] = {
      {"plain.jpg", 6},        {"plain.png", 0},        {"plain.tif", 0},       {"plain.ppm", 0},
      {"plain.webp", 12},      {"progressive.jpg", 6},  {"palette.png", 8},     {"orientation2.jpg", 6},
      {"orientation3.jpg", 6}, {"orientation6.jpg", 6}, {"orientation8.jpg", 6}};
  for (const auto& [name, tolerance] : files) {
    SCOPED_TRACE(name);
    expect_scene(decoded(fixture(name)), {kRed, kGreen, kBlue, kWhite}, tolerance);
  }
}

// CMYK colours are not exact in RGB; which channel is the strongest must be right.
TEST(Decode, CmykBecomesRgb) {
  const Image image = decoded(fixture("cmyk.jpg"));
  ASSERT_EQ(image.width, 48);
  const auto leads = [&](int x, int y, int channel) {
    const uint8_t* pixel = image.row(y) + x * 3;
    return std::max_element(pixel, pixel + 3) - pixel == channel && pixel[channel] > 100;
  };
  EXPECT_TRUE(leads(12, 8, 0));
  EXPECT_TRUE(leads(36, 8, 1));
  EXPECT_TRUE(leads(12, 24, 2));
  for (int c = 0; c < 3; ++c) EXPECT_GT(image.row(24)[36 * 3 + c], 215);
}

TEST(Decode, GreyBecomesThreeEqualChannels) {
  const auto grey = [](Colour c) {
    const int value = (299 * c[0] + 587 * c[1] + 114 * c[2]) / 1000;
    return Colour{value, value, value};
  };
  for (const char* name : {"grey.jpg", "grey.png", "grey16.png"}) {
    SCOPED_TRACE(name);
    expect_scene(decoded(fixture(name)), {grey(kRed), grey(kGreen), grey(kBlue), grey(kWhite)}, 3);
  }
}

TEST(Decode, TransparencyIsBlendedWithWhite) {
  constexpr Colour kPaper = {255, 255, 255};
  expect_scene(decoded(fixture("alpha.png")), {kRed, kPaper, kPaper, kPaper}, 0);
}

TEST(Decode, EveryTruncationIsAnError) {
  for (const char* name :
       {"plain.jpg", "progressive.jpg", "plain.png", "plain.webp", "plain.ppm", "cmyk.jpg"}) {
    const auto whole = fixture(name);
    // The last bytes of some formats carry no pixels; at half the file there is no doubt.
    for (size_t size :
         {size_t{0}, size_t{1}, size_t{4}, size_t{20}, whole.size() / 2, whole.size() * 3 / 4}) {
      Image image;
      const auto result = Decoder().decode(std::span(whole).first(size), {}, image);
      SCOPED_TRACE(std::string(name) + " cut to " + std::to_string(size) + " bytes");
      ASSERT_FALSE(result.has_value());
      EXPECT_FALSE(result.error().reason.empty());
    }
  }
}

// A decoder is reused from file to file.
TEST(Decode, ABadFileDoesNotAffectTheNext) {
  Decoder decoder;
  const auto good = fixture("plain.jpg");
  Image expected;
  ASSERT_TRUE(decoder.decode(good, {}, expected));
  auto zeroed = good, no_end = good;
  std::fill(zeroed.begin() + 30, zeroed.begin() + 400, uint8_t{0});
  no_end.resize(no_end.size() - 100);
  const std::vector<uint8_t> garbage = {0xff, 0xd8, 0xff, 'g', 'a', 'r', 'b'};
  const std::vector<uint8_t> cut(good.begin(), good.begin() + 200), header(good.begin(), good.begin() + 20);
  for (const auto& bad : {garbage, zeroed, cut, header, no_end}) {
    Image image;
    EXPECT_FALSE(decoder.decode(bad, {}, image));
    const auto after = decoder.decode(good, {}, image);
    ASSERT_TRUE(after) << after.error().reason;
    EXPECT_EQ(image.pixels, expected.pixels);
  }
}

// vips keeps one error text for all threads; each file must still get its own reason.
TEST(Decode, ReasonsAreNotMixedUpBetweenThreads) {
  std::vector<std::vector<uint8_t>> files;
  std::vector<std::string> expected;
  for (const char* name : {"plain.png", "plain.webp", "plain.ppm", "plain.tif"}) {
    auto bytes = fixture(name);
    bytes.resize(bytes.size() * 2 / 3);
    Image image;
    const auto result = Decoder().decode(bytes, {}, image);
    ASSERT_FALSE(result) << name;
    files.push_back(bytes);
    expected.push_back(result.error().reason);
  }
  parallel_for(400, 4, [&](size_t i) {
    Image image;
    const auto result = Decoder().decode(files[i % files.size()], {}, image);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().reason, expected[i % files.size()]);
  });
}

TEST(Decode, DecompressionBombsAreRefusedByTheirHeader) {
  // A PNG header that promises 60,000 x 60,000 pixels, with its checksum.
  const std::vector<uint8_t> png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0, 0,    13,
                                    'I',  'H', 'D', 'R', 0,    0,    0xea, 0x60, 0,    0, 0xea, 0x60,
                                    8,    2,   0,   0,   0,    0x0f, 0xb0, 0xe2, 0x15, 0, 0,    0,
                                    0,    'I', 'D', 'A', 'T',  0x35, 0xaf, 0x06, 0x1e};
  // The same size written into the frame header of a sound JPEG.
  auto jpeg = fixture("plain.jpg");
  for (size_t i = 0; i + 9 < jpeg.size(); ++i)
    if (jpeg[i] == 0xff && jpeg[i + 1] == 0xc0) {
      jpeg[i + 5] = jpeg[i + 7] = 0xea;
      jpeg[i + 6] = jpeg[i + 8] = 0x60;
      break;
    }
  const std::string ppm = "P6 60000 60000 255\n";
  const std::vector<uint8_t> ppm_bytes(ppm.begin(), ppm.end());
  for (const auto& bomb : {png, jpeg, ppm_bytes}) {
    Image image;
    const auto result = Decoder().decode(bomb, {}, image);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().reason.find("too large: 60000 x 60000"), std::string::npos)
        << result.error().reason;
    EXPECT_TRUE(image.pixels.empty());
  }
}

TEST(Decode, OtherFilesAreRefused) {
  const std::string text = "just some text, no picture";
  Image image;
  const auto result =
      Decoder().decode({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, {}, image);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().reason.find("not a photograph"), std::string::npos);
}

TEST(Decode, ShrinksToNoLessThanTwiceTheShortSide) {
  const Image large(640, 480, 128);
  const auto bytes = encode_jpeg(large);
  Image image;
  JpegDecoder decoder;
  const std::pair<int, int> expected[] = {{0, 480},  {300, 480}, {121, 480}, {120, 240},
                                          {64, 240}, {60, 120},  {30, 60},   {8, 60}};
  for (const auto& [short_side, height] : expected) {
    ASSERT_TRUE(decoder.decode(bytes, {.side = short_side}, image));
    EXPECT_EQ(image.height, height) << "for a short side of " << short_side;
    EXPECT_EQ(image.width, height * 4 / 3);
  }
}

TEST(Decode, FileEndings) {
  for (const char* name : {"a.jpg", "a.JPEG", "b.Png", "c.tif", "c.TIFF", "d.ppm", "e.webp", ".jpg"})
    EXPECT_TRUE(has_photo_ending(name)) << name;
  for (const char* name : {"a.txt", "jpg", "a.jpg.tmp", "", "a."})
    EXPECT_FALSE(has_photo_ending(name)) << name;
}

TEST(Limits, SizesAreChecked) {
  EXPECT_TRUE(check_size(640, 480));
  EXPECT_FALSE(check_size(0, 480));
  EXPECT_FALSE(check_size(-1, 480));
  EXPECT_FALSE(check_size(60000, 60000));
  EXPECT_FALSE(check_size(int64_t{1} << 40, int64_t{1} << 40));
}

}  // namespace
}  // namespace nowhere
