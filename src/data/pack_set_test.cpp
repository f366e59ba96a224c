// Several packed files as one data set: what one pack of all their photographs would be.
#include <algorithm>
#include <cstring>
#include <set>

#include "data/data_files.h"
#include "data/loader.h"
#include "data/pack_fixture.h"
#include "data/pack_index.h"
#include "data/pack_source.h"
#include "data/selection_digest.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class PackSetTest : public PackTest {
 protected:
  PackSetTest() { make_directories(packs()); }

  fs::path packs() const { return folder_.path() / "packs"; }
  fs::path pattern() const { return packs() / "*.nwp"; }

  static std::vector<uint32_t> numbers_of(const Source& source) {
    std::vector<uint32_t> all(source.photos().all.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint32_t>(i);
    return all;
  }

  PackSummary pack_into(const fs::path& output, const fs::path& data, Shard shard = {}) {
    PackConfig config = config_;
    config.output = output;
    config.shard = shard;
    const auto source = open_source(data);
    return pack_photos(
        *source, numbers_of(*source), config, [](int64_t, int64_t) {}, [] { return false; });
  }

  void pack_shards(uint64_t count) {
    for (uint64_t i = 1; i <= count; ++i)
      pack_into(packs() / ("part" + std::to_string(i) + ".nwp"), folder_.path() / "train_val", {i, count});
  }

  // A folder of photographs 0.jpg, 1.jpg, ...
  fs::path photographs(const fs::path& folder, const std::vector<int>& pictures) {
    make_directories(folder_.path() / folder);
    for (size_t i = 0; i < pictures.size(); ++i)
      write_jpeg(folder_.path() / folder / (std::to_string(i) + ".jpg"), test_picture(pictures[i]));
    return folder_.path() / folder;
  }

  static std::string refusal_of(const fs::path& data) {
    try {
      open_source(data);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      return error.what();
    }
    return "";
  }
};

// Everything that is known of the photographs, in their order, and their pixels.
void expect_same(const Source& a, const Source& b) {
  const Photos &left = a.photos(), &right = b.photos();
  ASSERT_EQ(left.all.size(), right.all.size());
  EXPECT_EQ(a.digest(), b.digest());
  EXPECT_EQ(left.cities.size(), right.cities.size());
  EXPECT_EQ(left.sequences.size(), right.sequences.size());
  Source::Scratch one, other;
  for (uint32_t i = 0; i < left.all.size(); ++i) {
    const Photo &x = left.all[i], &y = right.all[i];
    ASSERT_EQ(left.identity(x), right.identity(y)) << i;
    EXPECT_EQ(left.sequence(x), right.sequence(y));
    EXPECT_TRUE(x.city == y.city && x.sequence == y.sequence) << "numbered alike";
    EXPECT_TRUE(x.night == y.night && x.pano == y.pano && x.view == y.view && x.frame == y.frame &&
                x.subset == y.subset && x.control_panel == y.control_panel && x.easting == y.easting &&
                x.northing == y.northing && x.has_position == y.has_position);
    EXPECT_EQ(left.folders[x.folder].has_night, right.folders[y.folder].has_night);
    ASSERT_TRUE(a.read(i, one) && b.read(i, other));
    EXPECT_EQ(one.bytes, other.bytes);
    EXPECT_EQ(a.stamp(i), b.stamp(i));
  }
}

TEST_F(PackSetTest, ShardsAreTheMergedPack) {
  make_city(folder_.path(), "rome", "query", 4, 5);
  pack();
  pack_shards(3);
  const auto whole = open_source(config_.output);
  for (const fs::path& data : {pattern(), packs()}) {
    const auto set = open_source(data);
    EXPECT_EQ(set->digest(), PackReader::open(config_.output).header().digest.hex());
    expect_same(*set, *whole);
    EXPECT_EQ(selection_digest(set->photos(), numbers_of(*set)),
              selection_digest(whole->photos(), numbers_of(*whole)));
  }
  // Merged in one go, they are that very pack again.
  pack_into(folder_.path() / "merged.nwp", pattern());
  expect_same(*open_source(folder_.path() / "merged.nwp"), *whole);
}

TEST_F(PackSetTest, TheLoaderGivesTheSameBatches) {
  pack();
  pack_shards(4);
  const auto whole = open_source(config_.output), set = open_source(pattern());
  LoaderConfig config;
  config.sample.size = 16;
  config.batch = 5;
  config.threads = 2;
  config.sample.noise = 0.1;
  Loader a(*whole, Sampler(whole->photos(), numbers_of(*whole), {.seed = 3}), config, {.seed = 3}),
      b(*set, Sampler(set->photos(), numbers_of(*set), {.seed = 3}), config, {.seed = 3});
  for (int i = 0; i < 9; ++i) {
    const auto x = a.next(), y = b.next();
    ASSERT_TRUE(std::equal(x->photos.begin(), x->photos.end(), y->photos.begin(), y->photos.end()));
    EXPECT_EQ(std::memcmp(x->floats, y->floats, x->count * 16 * 16 * 3 * sizeof(float)), 0);
  }
}

TEST_F(PackSetTest, APhotographInTwoPacksCountsOnce) {
  pack();
  pack_shards(2);
  fs::copy_file(packs() / "part1.nwp", packs() / "again.nwp");
  pack_into(packs() / "some.nwp", folder_.path() / "train_val", {1, 3});
  const auto set = open_source(pattern());
  EXPECT_EQ(set->photos().all.size(), 24u);
  EXPECT_EQ(set->digest(), open_source(config_.output)->digest());
}

// What merging them one after the other gives: names that belong to another photograph are changed.
TEST_F(PackSetTest, DifferentPhotographsOfOneNameAreBothThere) {
  const auto a = photographs("a/images", {1, 2, 3}), b = photographs("b/images", {11, 12, 3}),
             c = photographs("c/images", {1, 22, 33, 44});
  const fs::path merged = folder_.path() / "merged.nwp";
  int number = 0;
  for (const fs::path& data : {a, b, c}) {
    const fs::path file = packs() / (std::to_string(number++) + ".nwp");
    pack_into(file, data);
    pack_into(merged, file);
  }
  pack_into(packs() / "3.nwp", a);  // has names of its own
  pack_into(packs() / "3.nwp", c);
  pack_into(merged, packs() / "3.nwp");
  const auto set = open_source(pattern()), whole = open_source(merged);
  EXPECT_EQ(set->photos().all.size(), 8u);
  EXPECT_EQ(set->digest(), whole->digest());
  std::set<std::string> names, expected;
  for (const Photo& photo : set->photos().all) names.insert(set->photos().identity(photo));
  for (const Photo& photo : whole->photos().all) expected.insert(whole->photos().identity(photo));
  EXPECT_EQ(names, expected);
}

TEST_F(PackSetTest, OpeningReadsNoPixels) {
  config_.height = 48;
  pack_shards(2);
  // Pixels that are gone are missed by whoever reads them, not by whoever opens the files.
  const auto set = open_source(pattern());
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(read_file(packs() / "part1.nwp", bytes));
  const PackReader pack = PackReader::open(packs() / "part1.nwp");
  PackTable table;
  pack.add_records_to(table);
  for (const auto& frame : table.frames) {
    ASSERT_GT(frame.size, 4096u) << "large enough for pages of its own";
    std::fill_n(bytes.begin() + static_cast<long>(frame.offset) - 16, frame.size + 16, uint8_t{0});
  }
  write_file(packs() / "part1.nwp", bytes);
  const auto blank = open_source(pattern());
  EXPECT_EQ(blank->digest(), set->digest());
  Source::Scratch scratch;
  size_t lost = 0;
  for (size_t i = 0; i < blank->photos().all.size(); ++i) {
    const auto frame = blank->frame(i, {}, scratch);
    if (frame) continue;
    ++lost;
    EXPECT_NE(frame.error().reason.find("part1.nwp, the record at byte"), std::string::npos)
        << frame.error().reason;
  }
  EXPECT_EQ(lost, table.frames.size());
}

TEST_F(PackSetTest, PacksThatDoNotFitAreNamed) {
  pack_shards(2);
  EXPECT_EQ(refusal_of(pattern()), "");
  const auto with = [&](const std::function<void(PackConfig&)>& change) {
    const PackConfig before = config_;
    change(config_);
    pack_into(packs() / "other.nwp", folder_.path() / "train_val");
    config_ = before;
    const std::string message = refusal_of(pattern());
    fs::remove(packs() / "other.nwp");
    return message;
  };
  const std::string height = with([](PackConfig& config) { config.height = 32; });
  EXPECT_NE(height.find("part1.nwp"), std::string::npos) << height;
  EXPECT_NE(height.find("other.nwp"), std::string::npos) << height;
  EXPECT_NE(height.find("cannot be one data set"), std::string::npos) << height;
  EXPECT_NE(with([](PackConfig& config) { config.codec = Codec::kJpeg; }).find("jpeg"), std::string::npos);
  EXPECT_NE(with([](PackConfig& config) { config.crop = *CropSize::parse("0.5"); }).find("crop size 0.5"),
            std::string::npos);
  write_file(packs() / "text.nwp", std::string(5000, 'x'));
  EXPECT_NE(refusal_of(pattern()).find("text.nwp is not a packed file"), std::string::npos);
  fs::remove(packs() / "text.nwp");
  fs::copy_file(packs() / "part1.nwp", packs() / "short.nwp");
  fs::resize_file(packs() / "short.nwp", fs::file_size(packs() / "short.nwp") / 2);
  EXPECT_NE(refusal_of(pattern()).find("short.nwp: truncated"), std::string::npos) << refusal_of(pattern());
  fs::remove(packs() / "short.nwp");
  config_.output = packs() / "begun.nwp";
  pack(5);
  EXPECT_NE(refusal_of(pattern()).find("begun.nwp is not finished"), std::string::npos);
}

TEST_F(PackSetTest, WhatIsAFolderOfPacks) {
  pack_shards(2);
  const auto files = packed_files(pattern());
  EXPECT_EQ(files, (std::vector<fs::path>{packs() / "part1.nwp", packs() / "part2.nwp"}));
  write_file(packs() / "part1.nwp.rejects.csv", std::string_view("path,reason\n"));
  make_directories(packs() / "notes");
  EXPECT_EQ(packed_files(packs()), files);
  EXPECT_TRUE(same_data(packs(), pattern()));
  EXPECT_TRUE(same_data(packs() / "part?.nwp", packs()));
  EXPECT_FALSE(same_data(packs() / "part1.nwp", pattern()));
  EXPECT_FALSE(same_data(folder_.path() / "train_val", packs()));
  EXPECT_TRUE(data_exists(pattern()) && data_exists(packs()) && data_exists(packs() / "part1.nwp"));
  EXPECT_FALSE(data_exists(packs() / "no*.nwp"));
  EXPECT_NE(refusal_of(packs() / "no*.nwp").find("no file matches"), std::string::npos);
  // A pack among photographs changes nothing about them.
  write_jpeg(packs() / "notes" / "1.jpg", test_picture(1));
  EXPECT_TRUE(packed_files(packs()).empty());
  EXPECT_EQ(open_source(packs())->description(), "folder");
  EXPECT_TRUE(packed_files(folder_.path() / "train_val").empty());
  EXPECT_TRUE(packed_files(folder_.path() / "nothing").empty());
  // A name may look like a pattern.
  fs::rename(packs() / "part1.nwp", packs() / "part[1].nwp");
  EXPECT_EQ(packed_files(packs() / "part[1].nwp").size(), 1u);
}

}  // namespace
}  // namespace nowhere
