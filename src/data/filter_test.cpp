#include "data/filter.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "core/file.h"
#include "core/random.h"
#include "core/test_folder.h"
#include "data/dedup.h"
#include "data/test_streets.h"
#include "image/resize.h"

namespace nowhere {
namespace {

class FilterTest : public testing::Test {
 protected:
  FilterTest() {
    make_city(folder_.path(), "oslo", "database", 4, 6);
    make_city(folder_.path(), "rome", "query", 2, 5);
    source_ = open_source(folder_.path());
  }

  Selection select(const FilterConfig& config) {
    return select_photos(
        *source_, config, 2, [](int64_t, int64_t) {}, [] { return false; });
  }
  size_t count(const FilterConfig& config) { return select(config).photos.size(); }

  std::string refusal(const FilterConfig& config) {
    try {
      select(config);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TestFolder folder_;
  std::unique_ptr<Source> source_;
};

TEST_F(FilterTest, EachFilterKeepsWhatItSays) {
  EXPECT_EQ(count({}), 34u);
  EXPECT_EQ(count({.cities = {"oslo"}}), 24u);
  EXPECT_EQ(count({.cities = {"oslo", "rome"}}), 34u);
  EXPECT_EQ(count({.subset = Subset::kQuery}), 10u);
  EXPECT_EQ(count({.night = YesNo::kYes}), 17u);
  EXPECT_EQ(count({.night = YesNo::kNo}), 17u);
  EXPECT_EQ(count({.views = {"Sideways"}}), 11u);
  EXPECT_EQ(count({.views = {"Sideways", "Forward"}}), 34u);
  EXPECT_EQ(count({.no_pano = true}), 28u);
  EXPECT_EQ(count({.no_control_panel = true}), 28u);
  EXPECT_EQ(count({.max_per_sequence = 2}), 12u);
  EXPECT_EQ(count({.limit = 7}), 7u);
  EXPECT_EQ(count({.limit = 700}), 34u);
}

TEST_F(FilterTest, MinMoveSkipsShortSteps) {
  const Selection selection = select({.cities = {"oslo"}, .min_move = 2});
  EXPECT_EQ(selection.photos.size(), 12u);  // frames 0, 2, 4 of each sequence
  for (uint32_t number : selection.photos) EXPECT_EQ(source_->photos().all[number].frame % 2, 0);
  EXPECT_EQ(selection.steps.back().removed, 12u);
}

TEST_F(FilterTest, LimitIsAnEvenDraw) {
  std::set<std::string_view> cities;
  for (uint32_t number : select({.limit = 12}).photos)
    cities.insert(source_->photos().city(source_->photos().all[number]));
  EXPECT_EQ(cities.size(), 2u);
}

TEST_F(FilterTest, SplitsAreDisjointAndComplete) {
  std::set<uint32_t> all;
  size_t total = 0;
  for (Split split : {Split::kTrain, Split::kValidation, Split::kTest}) {
    if (refusal({.split = split}) != "") continue;
    const Selection selection = select({.split = split});
    all.insert(selection.photos.begin(), selection.photos.end());
    total += selection.photos.size();
  }
  EXPECT_EQ(total, 34u);
  EXPECT_EQ(all.size(), 34u);
}

TEST_F(FilterTest, TheLastFilterIsNamed) {
  const std::string message = refusal({.cities = {"rome"}, .subset = Subset::kDatabase});
  EXPECT_NE(message.find("--subset database removed the last 10"), std::string::npos) << message;
  EXPECT_NE(message.find("after --city rome"), std::string::npos) << message;
  EXPECT_NE(message.find(folder_.path().string()), std::string::npos) << message;
}

TEST_F(FilterTest, ASinglePhotographIsNotManyOfThem) {
  const auto lonely = folder_.path() / "lonely";
  std::filesystem::create_directories(lonely);
  write_jpeg(lonely / "1.jpg", test_picture(1));
  source_ = open_source(lonely);
  const std::string message = refusal({.subset = Subset::kQuery});
  EXPECT_TRUE(message.ends_with("--subset query removed the last one")) << message;
}

TEST_F(FilterTest, AMissingColumnIsNamed) {
  std::filesystem::remove(folder_.path() / "train_val/rome/query/postprocessed.csv");
  source_ = open_source(folder_.path());
  const std::string message = refusal({.night = YesNo::kYes});
  EXPECT_NE(message.find("--night yes needs the column 'night' of postprocessed.csv"), std::string::npos)
      << message;
  EXPECT_NE(message.find("rome"), std::string::npos) << message;
  EXPECT_EQ(count({.cities = {"oslo"}, .night = YesNo::kYes}), 12u);  // where it is not missing, it works
}

TEST_F(FilterTest, ASplitNeedsTheSequences) {
  std::filesystem::remove(folder_.path() / "train_val/rome/query/seq_info.csv");
  source_ = open_source(folder_.path());
  EXPECT_NE(refusal({.split = Split::kTrain}).find("--split train needs the column 'sequence_key'"),
            std::string::npos);
}

TEST_F(FilterTest, ACityThatIsNotThere) {
  EXPECT_NE(refusal({.cities = {"olso"}}).find("did you mean oslo?"), std::string::npos);
}

TEST_F(FilterTest, DedupFindsCopiesAcrossSequences) {
  const auto images = folder_.path() / "train_val/rome/query/images";
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(read_file(folder_.path() / "train_val/oslo/database/images/oslo_database_2_003.jpg", bytes));
  write_file(images / "rome_query_0_001.jpg", bytes);
  write_file(images / "rome_query_1_004.jpg", bytes);
  const Selection selection = select({.dedup = true});
  EXPECT_EQ(selection.photos.size(), 32u);
  EXPECT_EQ(selection.steps.back().flag, "--dedup");
  EXPECT_EQ(selection.steps.back().removed, 2u);
}

TEST(PerceptualHash, IsStableUnderSmallChanges) {
  Resizer resizer;
  const Image picture = test_picture(3, 160, 120);
  const uint64_t hash = perceptual_hash(picture.view(), resizer);
  const Image smaller = resizer.resize(picture.view(), 80, 60);
  Image brighter = picture;
  for (uint8_t& value : brighter.pixels) value = static_cast<uint8_t>(std::min(255, value + 6));
  NearDuplicates seen;
  seen.add(hash);
  EXPECT_TRUE(seen.has_near(perceptual_hash(smaller.view(), resizer)));
  EXPECT_TRUE(seen.has_near(perceptual_hash(brighter.view(), resizer)));
  for (int other = 10; other < 60; ++other)
    EXPECT_FALSE(seen.has_near(perceptual_hash(test_picture(other, 160, 120).view(), resizer))) << other;
}

// The bands find every hash that is near, wherever its bits differ.
TEST(PerceptualHash, NearIsFoundWhereverTheBitsAre) {
  Random random(5, Purpose::kSynth);
  for (int i = 0; i < 500; ++i) {
    const uint64_t hash = random.bits();
    NearDuplicates seen;
    seen.add(hash);
    uint64_t near = hash, far = hash;
    for (int k = 0; k < kNearBits; ++k) near ^= uint64_t{1} << random.below(64);
    while (std::popcount(far ^ hash) <= kNearBits) far ^= uint64_t{1} << random.below(64);
    EXPECT_TRUE(seen.has_near(near));
    EXPECT_FALSE(seen.has_near(far));
  }
}

}  // namespace
}  // namespace nowhere
