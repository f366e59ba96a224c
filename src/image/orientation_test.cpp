// Photographs with an EXIF orientation, in every format that can carry one, longer than the few hundred
// lines that a decoder keeps behind it.
#include "image/orientation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "core/random.h"
#include "image/decode.h"
#include "image/encode.h"
#include "image/limits.h"
#include "image/vips.h"

namespace nowhere {
namespace {

using Bytes = std::vector<uint8_t>;

void append(Bytes& bytes, std::span<const uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void append(Bytes& bytes, std::string_view text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}

// A TIFF block with nothing but the orientation, as EXIF has it. `type` is 3 for 2 bytes and 4 for 4.
Bytes exif_block(int orientation, bool big_endian = false, uint8_t type = 3) {
  const auto value = static_cast<uint8_t>(orientation);
  if (!big_endian)
    return {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, type, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0};
  Bytes block = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, type, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  block[type == 4 ? 21 : 19] = value;
  return block;
}

Bytes with_orientation_jpeg(const Bytes& jpeg, const Bytes& exif) {
  Bytes tagged(jpeg.begin(), jpeg.begin() + 2);
  append(tagged, Bytes{0xff, 0xe1, 0, static_cast<uint8_t>(exif.size() + 8)});
  append(tagged, std::string_view("Exif\0\0", 6));
  append(tagged, exif);
  append(tagged, std::span(jpeg).subspan(2));
  return tagged;
}

uint32_t crc32(std::span<const uint8_t> bytes) {
  uint32_t crc = ~0u;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

Bytes with_orientation_png(const Bytes& png, const Bytes& exif) {
  constexpr size_t kHeaderEnd = 33;  // signature, then the chunk IHDR
  Bytes chunk;
  append(chunk, "eXIf");
  append(chunk, exif);
  const uint32_t crc = crc32(chunk);
  Bytes tagged(png.begin(), png.begin() + kHeaderEnd);
  append(tagged, Bytes{0, 0, 0, static_cast<uint8_t>(exif.size())});
  append(tagged, chunk);
  for (int shift : {24, 16, 8, 0}) tagged.push_back(static_cast<uint8_t>(crc >> shift));
  append(tagged, std::span(png).subspan(kHeaderEnd));
  return tagged;
}

// Puts the number into the orientation tag that vips writes.
Bytes with_orientation_tiff(Bytes tiff, int orientation) {
  const auto number = [&](size_t at, size_t size) {
    size_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | tiff[at + i];
    return value;
  };
  EXPECT_EQ(tiff[0], 'I');
  const size_t directory = number(4, 4);
  for (size_t i = 0; i < number(directory, 2); ++i)
    if (const size_t entry = directory + 2 + 12 * i; number(entry, 2) == 0x0112) {
      tiff[entry + 8] = static_cast<uint8_t>(orientation);
      return tiff;
    }
  ADD_FAILURE() << "no orientation tag in the TIFF";
  return tiff;
}

// A new file of the extended form around the chunk that has the pixels.
Bytes with_orientation_webp(const Bytes& webp, const Bytes& exif, int width, int height) {
  const auto little = [](Bytes& bytes, size_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
  };
  constexpr uint8_t kHasExif = 8;
  constexpr std::string_view kLossless = "VP8L";
  const auto pixels = std::search(webp.begin(), webp.end(), kLossless.begin(), kLossless.end());
  const size_t size = pixels[4] | pixels[5] << 8 | pixels[6] << 16;
  Bytes body;
  append(body, "WEBPVP8X");
  little(body, 10, 4);
  little(body, kHasExif, 4);
  little(body, static_cast<size_t>(width - 1), 3);
  little(body, static_cast<size_t>(height - 1), 3);
  append(body, std::span(pixels, pixels + static_cast<std::ptrdiff_t>(8 + size + size % 2)));
  append(body, "EXIF");
  little(body, exif.size(), 4);
  append(body, exif);
  Bytes file;
  append(file, "RIFF");
  little(file, body.size(), 4);
  append(file, body);
  return file;
}

// Blotches of 8 pixels, so that a JPEG of it stays close, and no symmetry.
Image test_photo() {
  Image image(120, 1100);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      Random blotch(3, Purpose::kSynth, {static_cast<uint64_t>(x / 8), static_cast<uint64_t>(y / 8)});
      for (int c = 0; c < kChannels; ++c)
        image.row(y)[x * kChannels + c] = static_cast<uint8_t>(40 + blotch.below(170));
    }
  return image;
}

// As a camera held that way would store it: the turn that takes `orientation` back.
Image stored_as(const Image& upright, int orientation) {
  Image stored;
  turn_upright(upright.view(), orientation == 6 ? 8 : orientation == 8 ? 6 : orientation, stored);
  return stored;
}

Image decoded_photo(std::span<const uint8_t> bytes, int short_side = 0) {
  Image image;
  const auto result = Decoder().decode(bytes, {short_side}, image);
  EXPECT_TRUE(result) << (result ? "" : result.error().reason);
  return image;
}

double photo_difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 255;
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
  return sum / static_cast<double>(a.pixels.size());
}

void expect_same(const Image& image, const Image& expected) {
  ASSERT_EQ(image.width, expected.width);
  ASSERT_EQ(image.height, expected.height);
  EXPECT_TRUE(image.pixels == expected.pixels);
}

// What the EXIF standard says of each: where row 0 and column 0 of what is stored belong.
TEST(Orientation, AllEightAsTheStandardSays) {
  const std::vector<std::vector<std::string>> upright_of_ab_cd_ef = {
      {"ab", "cd", "ef"}, {"ba", "dc", "fe"}, {"fe", "dc", "ba"}, {"ef", "cd", "ab"},
      {"ace", "bdf"},     {"eca", "fdb"},     {"fdb", "eca"},     {"bdf", "ace"}};
  Image stored(2, 3);
  for (size_t i = 0; i < 6; ++i)
    for (size_t c = 0; c < 3; ++c) stored.pixels[i * 3 + c] = static_cast<uint8_t>("abcdef"[i] + 10 * c);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    Image upright;
    turn_upright(stored.view(), orientation, upright);
    std::vector<std::string> rows;
    for (int y = 0; y < upright.height; ++y) {
      rows.emplace_back();
      for (int x = 0; x < upright.width; ++x) {
        const uint8_t* pixel = upright.row(y) + x * 3;
        EXPECT_EQ(pixel[1], pixel[0] + 10);
        EXPECT_EQ(pixel[2], pixel[0] + 20);
        rows.back() += static_cast<char>(pixel[0]);
      }
    }
    EXPECT_EQ(rows, upright_of_ab_cd_ef[static_cast<size_t>(orientation - 1)]) << orientation;
  }
  for (int nonsense : {0, -1, 9}) {
    Image upright;
    turn_upright(stored.view(), nonsense, upright);
    expect_same(upright, stored);
  }
}

TEST(Orientation, LosslessFormatsComeBackExactly) {
  const Image upright = test_photo();
  for (int orientation = 1; orientation <= 8; ++orientation) {
    SCOPED_TRACE(orientation);
    const Image stored = stored_as(upright, orientation);
    const Bytes exif = exif_block(orientation);
    expect_same(decoded_photo(with_orientation_png(encode_png(stored), exif)), upright);
    const Bytes interlaced = vips_encode({stored}, ".png[interlace=1]", 0);
    expect_same(decoded_photo(with_orientation_png(interlaced, exif)), upright);
    for (const char* kind : {".tif[compression=lzw]", ".tif[tile,tile-width=64,tile-height=64]"})
      expect_same(decoded_photo(with_orientation_tiff(vips_encode({stored}, kind, 0), orientation)), upright);
    const Bytes webp = vips_encode({stored}, ".webp[lossless=1,effort=0]", 0);
    expect_same(decoded_photo(with_orientation_webp(webp, exif, stored.width, stored.height)), upright);
  }
}

TEST(Orientation, JpegsAreTurnedAndNothingElse) {
  const Image upright = test_photo();
  for (int orientation = 1; orientation <= 8; ++orientation) {
    SCOPED_TRACE(orientation);
    const Bytes jpeg = encode_jpeg(stored_as(upright, orientation));
    for (const bool big_endian : {false, true})
      for (const uint8_t type : {uint8_t{3}, uint8_t{4}}) {
        const Bytes tagged = with_orientation_jpeg(jpeg, exif_block(orientation, big_endian, type));
        EXPECT_LT(photo_difference(decoded_photo(tagged), upright), 6);
        for (int short_side : {0, 30}) {  // 30: decoded at half the size
          Image expected;
          turn_upright(decoded_photo(jpeg, short_side).view(), orientation, expected);
          expect_same(decoded_photo(tagged, short_side), expected);
        }
      }
  }
}

TEST(Orientation, DamagedAndTruncatedFilesAreStillFailures) {
  const Image stored = stored_as(test_photo(), 6);
  const Bytes exif = exif_block(6);
  const Bytes webp = vips_encode({stored}, ".webp[lossless=1,effort=0]", 0);
  const Bytes files[] = {with_orientation_jpeg(encode_jpeg(stored), exif),
                         with_orientation_png(encode_png(stored), exif),
                         with_orientation_tiff(vips_encode({stored}, ".tif[compression=lzw]", 0), 6),
                         with_orientation_webp(webp, exif, stored.width, stored.height)};
  for (size_t i = 0; i < std::size(files); ++i) {
    SCOPED_TRACE(i);
    Image image;
    EXPECT_FALSE(Decoder().decode(std::span(files[i]).first(files[i].size() / 2), {}, image));
    Bytes zeroed = files[i];
    std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(zeroed.size() / 2), 2000, uint8_t{0});
    EXPECT_FALSE(Decoder().decode(zeroed, {}, image));
  }
}

TEST(Orientation, TheSizeIsCheckedBeforeAnythingIsTurned) {
  Bytes jpeg = with_orientation_jpeg(encode_jpeg(Image(48, 32)), exif_block(6));
  for (size_t i = 0; i + 9 < jpeg.size(); ++i)
    if (jpeg[i] == 0xff && jpeg[i + 1] == 0xc0) {
      jpeg[i + 5] = jpeg[i + 7] = 0xea;
      jpeg[i + 6] = jpeg[i + 8] = 0x60;
      break;
    }
  Image image;
  const auto result = Decoder().decode(jpeg, {}, image);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().reason.find("too large: 60000 x 60000"), std::string::npos);
  EXPECT_TRUE(image.pixels.empty());
}

}  // namespace
}  // namespace nowhere
