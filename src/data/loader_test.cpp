#include "data/loader.h"

#include <gtest/gtest.h>

#include <set>

#include "core/file.h"
#include "core/test_folder.h"
#include "data/filter.h"
#include "data/packer.h"
#include "data/test_streets.h"
#include "image/resize.h"

namespace nowhere {
namespace {

// A batch, kept.
struct Kept {
  uint64_t epoch, number;
  std::vector<uint32_t> photos;
  std::vector<float> floats;
  bool operator==(const Kept&) const = default;
};

std::vector<uint32_t> everything(const Source& source) {
  std::vector<uint32_t> numbers(source.photos().all.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i);
  return numbers;
}

class LoaderTest : public testing::Test {
 protected:
  LoaderTest() {
    make_city(folder_.path(), "oslo", "database", 3, 9);  // 27 photographs
    source_ = open_source(folder_.path());
    config_.sample.size = 16;
    config_.batch = 5;
  }

  std::unique_ptr<Loader> loader(LoaderState state = {.seed = 42}) {
    return std::make_unique<Loader>(
        *source_, Sampler(source_->photos(), everything(*source_), {.seed = state.seed}), config_, state);
  }

  std::vector<Kept> take(Loader& from, size_t count) {
    std::vector<Kept> kept;
    const auto values =
        static_cast<size_t>(config_.sample.size) * static_cast<size_t>(config_.sample.size) * 3;
    while (kept.size() < count) {
      const auto batch = from.next();
      if (!batch) break;
      kept.push_back({batch->epoch,
                      batch->number,
                      {batch->photos.begin(), batch->photos.end()},
                      {batch->floats, batch->floats + batch->count * values}});
    }
    return kept;
  }

  TestFolder folder_;
  std::unique_ptr<Source> source_;
  LoaderConfig config_;
};

TEST_F(LoaderTest, TheSameBatchesOnAnyNumberOfThreads) {
  config_.threads = 1;
  const auto expected = take(*loader(), 13);
  ASSERT_EQ(expected.size(), 13u);
  for (int threads : {2, 5}) {
    config_.threads = threads;
    config_.ahead = threads + 1;
    EXPECT_EQ(take(*loader(), 13), expected) << threads << " threads";
  }
}

TEST_F(LoaderTest, GoesOnWithTheVeryNextBatch) {
  config_.threads = 2;
  const auto expected = take(*loader(), 14);
  for (size_t stop : {1, 4, 5, 6, 12}) {  // in an epoch, at its end, after it
    const LoaderState state{.seed = 42, .epoch = stop / 5, .batches = stop % 5};
    EXPECT_EQ(take(*loader(state), 14 - stop),
              std::vector<Kept>(expected.begin() + static_cast<long>(stop), expected.end()))
        << stop;
  }
}

TEST_F(LoaderTest, CountsEpochsAndBatches) {
  auto from = loader();
  EXPECT_EQ(from->batches_per_epoch(), 5u);
  for (uint64_t i = 0; i < 11; ++i) {
    const auto batch = from->next();
    EXPECT_EQ(batch->epoch, i / 5);
    EXPECT_EQ(batch->number, i % 5);
    EXPECT_EQ(batch->last_of_epoch, i % 5 == 4);
    EXPECT_EQ(batch->count, 5u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(batch->floats) % 64, 0u);
  }
}

TEST_F(LoaderTest, TheLastShortBatchOnRequest) {
  config_.drop_last = false;
  config_.epochs = 2;
  const auto kept = take(*loader(), 100);
  ASSERT_EQ(kept.size(), 12u);
  EXPECT_EQ(kept[5].photos.size(), 2u);
  std::set<uint32_t> seen;
  for (size_t i = 0; i < 6; ++i) seen.insert(kept[i].photos.begin(), kept[i].photos.end());
  EXPECT_EQ(seen.size(), 27u);
}

TEST_F(LoaderTest, CentreCropIsThePlainResize) {
  config_.sample.augment = {.crop = Crop::kCentre, .flip = false};
  auto from = loader();
  const auto kept = take(*from, 2);
  Source::Scratch scratch;
  Resizer resizer;
  for (size_t i = 0; i < kept[1].photos.size(); ++i) {
    const ImageView frame = source_->frame(kept[1].photos[i], {config_.sample.size}, scratch)->view;
    const int side = std::min(frame.width, frame.height);
    std::vector<uint8_t> expected(16 * 16 * 3);
    resizer.resize(frame, {(frame.width - side) / 2, (frame.height - side) / 2, side, side}, 16, 16, false,
                   expected.data());
    for (size_t k = 0; k < expected.size(); ++k)
      ASSERT_EQ(kept[1].floats[i * expected.size() + k],
                static_cast<float>(expected[k]) * (1.0f / 127.5f) - 1.0f);
  }
}

TEST_F(LoaderTest, BytesAndFloatsAgree) {
  const auto floats = take(*loader(), 3);
  config_.pixels = PixelType::kByte;
  auto from = loader();
  for (const Kept& expected : floats) {
    const auto batch = from->next();
    EXPECT_EQ(batch->floats, nullptr);
    for (size_t k = 0; k < expected.floats.size(); ++k)
      ASSERT_EQ(expected.floats[k], static_cast<float>(batch->bytes[k]) * (1.0f / 127.5f) - 1.0f);
  }
}

TEST_F(LoaderTest, EpochsShowOtherCropsOfAPhotograph) {
  const auto kept = take(*loader(), 10);
  const auto find = [&](uint64_t epoch, uint32_t photo) {
    for (const Kept& batch : kept)
      for (size_t i = 0; batch.epoch == epoch && i < batch.photos.size(); ++i)
        if (batch.photos[i] == photo)
          return std::vector<float>(batch.floats.begin() + static_cast<long>(i) * 768,
                                    batch.floats.begin() + static_cast<long>(i + 1) * 768);
    return std::vector<float>();
  };
  int different = 0, both = 0;
  for (uint32_t photo = 0; photo < 27; ++photo) {
    const auto a = find(0, photo), b = find(1, photo);
    if (a.empty() || b.empty()) continue;
    ++both;
    different += a != b;
  }
  EXPECT_GT(both, 10);
  EXPECT_GT(different, both * 3 / 4);
}

TEST_F(LoaderTest, BrokenPhotographsAreReplacedTheSameWayOnAnyThreads) {
  const auto images = folder_.path() / "train_val/oslo/database/images";
  for (int i : {0, 3, 5})
    write_file(images / ("oslo_database_1_00" + std::to_string(i) + ".jpg"), std::string_view("broken"));
  config_.threads = 1;
  auto one = loader();
  const auto expected = take(*one, 10);
  config_.threads = 3;
  auto three = loader();
  EXPECT_EQ(take(*three, 10), expected);
  const LoaderCounts counts = one->counts();
  EXPECT_GE(counts.replaced, 3u);
  EXPECT_NE(counts.first_failure.find("not a photograph"), std::string::npos);
}

TEST_F(LoaderTest, AllBrokenIsADataError) {
  const auto images = folder_.path() / "train_val/oslo/database/images";
  for (const auto& entry : std::filesystem::directory_iterator(images))
    write_file(entry.path(), std::string_view("broken"));
  auto from = loader();
  EXPECT_THROW(from->next(), Error);
}

TEST_F(LoaderTest, ABatchThatCannotBeFilledIsADataError) {
  config_.batch = 28;
  EXPECT_THROW(loader(), Error);
}

TEST_F(LoaderTest, APackAndItsFolderGiveTheSamePictures) {
  // Frames no larger than the pack's height are kept as they are, so only the codec stands between.
  const auto file = folder_.path() / "streets.nwp";
  pack_photos(
      *source_, everything(*source_), {.output = file, .height = 48, .filters = {}}, [](int64_t, int64_t) {},
      [] { return false; });
  const auto packed = open_source(file);
  ASSERT_EQ(packed->photos().all.size(), 27u);
  Source::Scratch a, b;
  for (size_t i = 0; i < 27; ++i) {
    const auto& photos = packed->photos();
    for (size_t k = 0; k < 27; ++k) {
      if (source_->photos().name(source_->photos().all[k]) != photos.name(photos.all[i])) continue;
      const ImageView left = packed->frame(i, {16}, a)->view, right = source_->frame(k, {48}, b)->view;
      ASSERT_EQ(left.width, right.width);
      EXPECT_TRUE(
          std::equal(left.data, left.data + left.stride * static_cast<size_t>(left.height), right.data));
    }
  }
}

}  // namespace
}  // namespace nowhere
