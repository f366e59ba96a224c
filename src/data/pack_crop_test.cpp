#include <gtest/gtest.h>

#include "core/error.h"
#include "data/loader.h"
#include "data/pack_fixture.h"

namespace nowhere {
namespace {

// Photographs of 64 x 48 pixels.
class PackCropTest : public PackTest {
 protected:
  static std::map<std::string, std::vector<uint8_t>> samples_of(const Source& source, const char* crop_size) {
    LoaderConfig config{.sample = {.size = 8}, .batch = 24, .pixels = PixelType::kByte, .epochs = 1};
    config.sample.augment = {.crop = Crop::kCentre, .crop_size = *CropSize::parse(crop_size), .flip = false};
    std::vector<uint32_t> photos(24);
    for (uint32_t i = 0; i < 24; ++i) photos[i] = i;
    Loader loader(source, Sampler(source.photos(), photos, {.shuffle = false}), config, {});
    const auto batch = loader.next();
    std::map<std::string, std::vector<uint8_t>> samples;
    constexpr size_t kBytes = 8 * 8 * 3;
    for (size_t i = 0; i < batch->count; ++i) {
      const uint8_t* begin = batch->bytes + i * kBytes;
      const Photo& photo = source.photos().all[batch->photos[i]];
      samples[std::string(source.photos().file_name(photo))] = {begin, begin + kBytes};
    }
    return samples;
  }

  // The largest difference of two samples of the same photograph.
  static int difference(const Source& one, const Source& other, const char* crop_size) {
    const auto left = samples_of(one, crop_size), right = samples_of(other, crop_size);
    EXPECT_EQ(left.size(), 24u);
    int worst = 0;
    for (const auto& [name, pixels] : left)
      for (size_t i = 0; i < pixels.size(); ++i)
        worst = std::max(worst, std::abs(pixels[i] - right.at(name)[i]));
    return worst;
  }

  std::unique_ptr<Source> folder() { return open_source(folder_.path() / "train_val"); }
};

TEST_F(PackCropTest, KeepsTheMiddleRowsOfEveryPhotograph) {
  config_.crop = *CropSize::parse("24");
  pack();
  const auto packed = open_source(config_.output);
  Source::Scratch scratch;
  const PhotoFrame frame = *packed->frame(0, {}, scratch);
  EXPECT_EQ(frame.view.width, 64);
  EXPECT_EQ(frame.view.height, 24);
  EXPECT_EQ(frame.short_side, 48);
  EXPECT_EQ(frame.scale, 1);
  EXPECT_EQ(difference(*folder(), *packed, "24"), 0);
  EXPECT_EQ(difference(*folder(), *packed, "16"), 0);
}

TEST_F(PackCropTest, APixelIsThePhotographsAlsoInASmallerFrame) {
  pack();  // 48 rows shrunk to 24
  const auto packed = open_source(config_.output);
  Source::Scratch scratch;
  EXPECT_EQ(packed->frame(0, {}, scratch)->scale, 0.5);
  // Twice resized is not once resized; another crop would differ far more.
  EXPECT_LE(difference(*folder(), *packed, "24"), 40);
  EXPECT_GT(difference(*folder(), *packed, "full"), 0);
  EXPECT_EQ(packed->crop_size(), CropSize());
}

TEST_F(PackCropTest, JpegRecordsAreMeasuredTheSameWay) {
  config_.crop = *CropSize::parse("0.5");
  config_.codec = Codec::kJpeg;
  pack();
  EXPECT_LE(difference(*folder(), *open_source(config_.output), "0.5"), 16);
}

TEST_F(PackCropTest, SamplesThatWouldShowMoreAreRefused) {
  config_.crop = *CropSize::parse("24");
  pack();
  const auto packed = open_source(config_.output);
  EXPECT_NO_THROW(samples_of(*packed, "24"));
  EXPECT_NO_THROW(samples_of(*packed, "3x"));
  for (const char* more : {"full", "25", "4x", "0.3"}) {
    try {
      samples_of(*packed, more);
      FAIL() << more;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kUsage);
      EXPECT_NE(std::string(error.what()).find("--crop-size 24"), std::string::npos) << error.what();
    }
  }
}

TEST_F(PackCropTest, RecordsOfTwoCropsDoNotMix) {
  pack();
  config_.crop = *CropSize::parse("24");
  EXPECT_THROW(pack(), Error);
}

TEST_F(PackCropTest, APackOfTheMiddleIsCopiedAsItIs) {
  config_.crop = *CropSize::parse("24");
  const SetDigest digest = pack().header.digest;
  const auto packed = open_source(config_.output);
  std::vector<uint32_t> photos(24);
  for (uint32_t i = 0; i < 24; ++i) photos[i] = i;
  const auto repack = [&](const char* crop) {
    PackConfig config = config_;
    config.output = folder_.path() / "copy.nwp";
    config.crop = *CropSize::parse(crop);
    return pack_photos(
        *packed, photos, config, [](int64_t, int64_t) {}, [] { return false; });
  };
  EXPECT_THROW(repack("full"), Error);
  EXPECT_EQ(repack("24").header.digest, digest);
}

// A packed file of a version that did not note how large photographs were.
class Sizeless : public Source {
 public:
  explicit Sizeless(const Source& source) : source_(source) {}
  const Photos& photos() const override { return source_.photos(); }
  const ScanCounts& counts() const override { return source_.counts(); }
  std::string name() const override { return "old.nwp"; }
  std::string description() const override { return source_.description(); }
  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    return source_.frame(photo, detail, scratch);
  }
  Result<void> read(size_t photo, Scratch& scratch) const override { return source_.read(photo, scratch); }
  uint64_t stamp(size_t photo) const override { return source_.stamp(photo); }
  bool knows_photo_sizes() const override { return false; }

 private:
  const Source& source_;
};

TEST_F(PackCropTest, PixelsOfUnknownPhotographsAreRefused) {
  const auto source = folder();
  const Sizeless old(*source);
  EXPECT_NO_THROW(samples_of(old, "0.5"));
  EXPECT_NO_THROW(samples_of(old, "full"));
  EXPECT_THROW(samples_of(old, "4x"), Error);
  const auto header =
      PackHeader::parse(R"({"version":1,"codec":"raw","height":24,"complete":true,"count":0,"bytes":0,)"
                        R"("digest":"00000000000000000000000000000000","parts":[]})");
  ASSERT_TRUE(header);
  EXPECT_FALSE(header->knows_photo_sizes);
  EXPECT_TRUE(header->crop.is_full());
}

}  // namespace
}  // namespace nowhere
