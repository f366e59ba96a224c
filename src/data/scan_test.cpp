#include "data/scan.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "data/split.h"
#include "data/test_streets.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

TEST(Scan, ReadsTheMslsLayout) {
  const TestFolder folder;
  make_city(folder.path(), "oslo", "database", 2, 3);
  make_city(folder.path(), "oslo", "query", 1, 2);
  make_city(folder.path(), "rome", "query", 1, 2);
  const Scan scan = scan_folder(folder.path());
  ASSERT_EQ(scan.photos.all.size(), 10u);
  EXPECT_EQ(scan.photos.cities.size(), 2u);
  EXPECT_EQ(scan.photos.sequences.size(), 4u);
  EXPECT_EQ(scan.counts.photos_without_row, 0);
  EXPECT_EQ(scan.counts.rows_without_photo, 0);
  EXPECT_EQ(scan.counts.missing_tables, 0);
  const Photo& photo = scan.photos.all[4];  // the second sequence's second frame
  EXPECT_EQ(scan.photos.key(photo), "oslo_database_1_001");
  EXPECT_EQ(scan.photos.city(photo), "oslo");
  EXPECT_EQ(scan.photos.sequence(photo), "oslo/oslodatabased1");
  EXPECT_EQ(photo.subset, Subset::kDatabase);
  EXPECT_EQ(photo.frame, 1);
  EXPECT_EQ(photo.night, Flag::kYes);
  EXPECT_EQ(photo.pano, Flag::kYes);
  EXPECT_EQ(photo.control_panel, Flag::kNo);
  EXPECT_EQ(photo.view, View::kForward);
  EXPECT_EQ(photo.easting, 1001);
  EXPECT_EQ(photo.northing, 2100);
  EXPECT_EQ(scan.photos.identity(photo), "oslo/database/oslo_database_1_001.jpg");
}

TEST(Scan, TheCityIsFoundFromInside) {
  const TestFolder folder;
  make_city(folder.path(), "oslo", "query", 1, 2);
  for (const char* below :
       {"train_val", "train_val/oslo", "train_val/oslo/query", "train_val/oslo/query/images"}) {
    const Scan scan = scan_folder(folder.path() / below);
    EXPECT_EQ(scan.photos.city(scan.photos.all[0]), "oslo") << below;
    EXPECT_NE(scan.photos.all[0].sequence, kNoString) << below;
  }
}

TEST(Scan, WorksWithoutTables) {
  const TestFolder folder;
  make_city(folder.path(), "oslo", "query", 1, 3);
  const auto beside = folder.path() / "train_val/oslo/query";
  fs::remove(beside / "raw.csv");
  write_file(beside / "seq_info.csv", std::string_view("no,such,columns\n1,2,3\n"));
  const Scan scan = scan_folder(folder.path());
  EXPECT_EQ(scan.photos.all.size(), 3u);
  EXPECT_EQ(scan.counts.missing_tables, 2);
  EXPECT_FALSE(scan.photos.folders[0].has_sequence);
  EXPECT_FALSE(scan.photos.folders[0].has_pano);
  EXPECT_TRUE(scan.photos.folders[0].has_night);
}

TEST(Scan, CountsWhatDoesNotFit) {
  const TestFolder folder;
  make_city(folder.path(), "oslo", "query", 1, 3);
  const auto beside = folder.path() / "train_val/oslo/query";
  write_jpeg(beside / "images" / "extra.jpg", test_picture(1));
  fs::remove(beside / "images" / "oslo_query_0_001.jpg");
  write_file(beside / "notes.txt", std::string_view("x"));
  write_file(
      beside / "seq_info.csv",
      std::string_view(",key,sequence_key,frame_number\n0,oslo_query_0_000,d,0\n1\n2,oslo_query_0_002\n"));
  const Scan scan = scan_folder(folder.path());
  EXPECT_EQ(scan.photos.all.size(), 3u);
  EXPECT_EQ(scan.counts.photos_without_row, 1);
  EXPECT_EQ(scan.counts.rows_without_photo, 2);  // of raw.csv and postprocessed.csv
  EXPECT_EQ(scan.counts.broken_rows, 2);
  EXPECT_EQ(scan.counts.other_files, 1);
}

TEST(Scan, AwkwardNamesAndLinks) {
  const TestFolder folder;
  const std::set<std::string> names = {"with space.jpg", "größe.JPG", "two\nlines.jpeg", "q\"uote.png",
                                       "a.b.c.webp"};
  for (const std::string& name : names) write_jpeg(folder.path() / name, test_picture(1));
  fs::create_directories(folder.path() / "below");
  fs::create_directory_symlink(folder.path(), folder.path() / "below" / "loop");
  fs::create_symlink("nothing", folder.path() / "dangling.jpg");
  fs::create_symlink("with space.jpg", folder.path() / "link.jpg");
  const Scan scan = scan_folder(folder.path());
  std::set<std::string> found;
  for (const Photo& photo : scan.photos.all) found.emplace(scan.photos.name(photo));
  auto expected = names;
  expected.insert("link.jpg");
  EXPECT_EQ(found, expected);
  EXPECT_EQ(scan.counts.repeated_folders, 1);
  for (const Photo& photo : scan.photos.all) EXPECT_TRUE(fs::exists(scan.photos.path(photo)));
}

TEST(Scan, NothingToFindIsADataError) {
  const TestFolder folder;
  for (const auto& path : {folder.path(), folder.path() / "none"}) {
    try {
      scan_folder(path);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  }
}

TEST(Split, SequencesStayTogetherWhenACityIsAdded) {
  const TestFolder folder;
  make_city(folder.path(), "oslo", "database", 60, 2);
  const Scan before = scan_folder(folder.path());
  std::map<std::string, Split> sides;
  std::array<int, 4> counts{};
  for (const Photo& photo : before.photos.all) {
    const Split side = split_of(before.photos, photo);
    const auto [entry, is_new] = sides.try_emplace(std::string(before.photos.sequence(photo)), side);
    EXPECT_EQ(entry->second, side);
    ++counts[static_cast<size_t>(side)];
  }
  EXPECT_GT(counts[static_cast<size_t>(Split::kTrain)], 60);
  EXPECT_GT(counts[static_cast<size_t>(Split::kValidation)], 0);
  EXPECT_GT(counts[static_cast<size_t>(Split::kTest)], 0);
  make_city(folder.path(), "rome", "database", 10, 2);
  const Scan after = scan_folder(folder.path());
  for (const Photo& photo : after.photos.all) {
    const auto known = sides.find(std::string(after.photos.sequence(photo)));
    if (known == sides.end()) continue;
    EXPECT_EQ(split_of(after.photos, photo), known->second);
  }
}

TEST(Scan, RealPhotographs) {
  if (real_photographs().empty()) GTEST_SKIP() << "no real photographs beside this checkout";
  const Scan scan = scan_folder(real_photographs());
  EXPECT_EQ(scan.photos.all.size(), 530u);
  EXPECT_EQ(scan.photos.sequences.size(), 3u);
  EXPECT_EQ(scan.counts.photos_without_row, 0);
}

}  // namespace
}  // namespace nowhere
