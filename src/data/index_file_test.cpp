#include "data/index_file.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/random.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

const IndexKey kKey{0x1234, {10'000, 20'000}};

// An index of photographs that nobody has, with what a folder and a city may hold.
PackIndex small_index() {
  PackIndex index;
  for (uint32_t i = 0; i < 40; ++i) {
    Photo photo;
    photo.folder = i % 2;
    photo.night = Flag::kYes;
    photo.view = View::kSideways;
    photo.subset = Subset::kQuery;
    photo.has_position = i % 3 == 0;
    photo.city = i % 5 == 0 ? kNoString : index.photos.cities.add("city" + std::to_string(i % 2));
    photo.sequence = i % 7 == 0 ? kNoString : index.photos.sequences.add("s/" + std::to_string(i / 4));
    photo.frame = static_cast<int32_t>(i);
    photo.easting = i * 1.5;
    index.photos.set_name(photo, std::to_string(i) + ".jpg");
    index.photos.all.push_back(photo);
    index.records.push_back({100 * i, 100 + i, i % 2});
  }
  Folder columns;
  columns.has_night = columns.has_position = true;
  index.photos.folders.assign(2, columns);
  index.digest = {11, 22};
  index.repeated = 3;
  return index;
}

class IndexFileTest : public testing::Test {
 protected:
  std::vector<uint8_t> bytes_of(const PackIndex& index) {
    write_index(path_, index, kKey);
    std::vector<uint8_t> bytes;
    EXPECT_TRUE(read_file(path_, bytes));
    return bytes;
  }
  static Result<PackIndex> parse(const std::vector<uint8_t>& bytes) {
    return parse_index(bytes, std::make_shared<int>(), kKey);
  }
  bool refused(const PackIndex& index) { return !parse(bytes_of(index)); }

  TestFolder folder_;
  std::filesystem::path path_ = folder_.path() / "index";
};

TEST_F(IndexFileTest, WhatIsWrittenIsRead) {
  const PackIndex index = small_index();
  write_index(path_, index, kKey);
  for (const uint64_t map_from : {uint64_t{1}, uint64_t{1} << 40}) {
    const auto read = read_index(path_, kKey, map_from);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->photos.all.size(), index.photos.all.size());
    for (size_t i = 0; i < index.photos.all.size(); ++i) {
      const Photo &expected = index.photos.all[i], &photo = std::as_const(read->photos.all)[i];
      EXPECT_EQ(read->photos.identity(photo), index.photos.identity(expected));
      EXPECT_EQ(read->photos.city(photo), index.photos.city(expected));
      EXPECT_EQ(read->photos.sequence(photo), index.photos.sequence(expected));
      EXPECT_TRUE(photo.frame == expected.frame && photo.easting == expected.easting &&
                  photo.has_position == expected.has_position && photo.view == expected.view);
      const PackedRecord &record = std::as_const(read->records)[i], &there = index.records[i];
      EXPECT_TRUE(record.offset == there.offset && record.size == there.size && record.pack == there.pack);
    }
    EXPECT_EQ(read->digest, index.digest);
    EXPECT_EQ(read->repeated, 3);
    ASSERT_EQ(read->photos.folders.size(), 2u);
    EXPECT_TRUE(read->photos.folders[1].has_night && read->photos.folders[1].has_position);
    EXPECT_FALSE(read->photos.folders[1].has_view);
  }
}

TEST_F(IndexFileTest, AnyFlippedBitIsRefused) {
  const auto whole = bytes_of(small_index());
  ASSERT_TRUE(parse(whole));
  for (size_t at = 0; at < whole.size(); ++at) {
    auto bytes = whole;
    bytes[at] ^= static_cast<uint8_t>(1u << at % 8);
    ASSERT_FALSE(parse(bytes)) << at;
  }
}

TEST_F(IndexFileTest, AnyOtherLengthIsRefused) {
  const auto whole = bytes_of(small_index());
  for (size_t size = 0; size < whole.size(); size += 1 + size / 100)
    EXPECT_FALSE(parse({whole.begin(), whole.begin() + static_cast<long>(size)})) << size;
  auto longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(parse(longer));
}

TEST_F(IndexFileTest, OtherPacksAreRefused) {
  const auto bytes = bytes_of(small_index());
  EXPECT_FALSE(parse_index(bytes, std::make_shared<int>(), {0x1235, kKey.file_sizes}));
  EXPECT_FALSE(parse_index(bytes, std::make_shared<int>(), {kKey.stamp, {10'000}}));
  EXPECT_FALSE(parse_index(bytes, std::make_shared<int>(), {kKey.stamp, {10'000, 2'000}})) << "cut short";
}

// Checksums fit whatever was written: numbers are checked all the same.
TEST_F(IndexFileTest, RowsThatLeaveTheTablesAreRefused) {
  EXPECT_FALSE(refused(small_index()));
  const auto with = [&](const std::function<void(PackIndex&)>& change) {
    PackIndex index = small_index();
    change(index);
    return refused(index);
  };
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[39].folder = 2; }));
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[39].name_length = 100; }));
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[39].name_offset = kNoString; }));
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[3].city = 2; }));
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[3].sequence = 10; }));
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[3].view = static_cast<View>(9); }));
  EXPECT_TRUE(with([](PackIndex& index) { index.photos.all[3].night = static_cast<Flag>(3); }));
  EXPECT_TRUE(with([](PackIndex& index) { index.records[3].pack = 0; }))
      << "another pack than the photograph";
  EXPECT_TRUE(with([](PackIndex& index) { index.records[3].offset = 20'000; }));
  EXPECT_TRUE(with([](PackIndex& index) { index.records[3].size = 1u << 31; }));
  EXPECT_TRUE(with([](PackIndex& index) {
    index.photos.sequences = StringPool(std::vector<uint64_t>{9, 1, 2}, {});
  }));
}

TEST_F(IndexFileTest, RandomBytesAreNeverUsed) {
  const auto whole = bytes_of(small_index());
  Random random(4, Purpose::kSynth);
  int accepted = 0;
  for (int i = 0; i < 3'000; ++i) {
    auto bytes = whole;
    for (uint64_t k = 0; k <= random.below(3); ++k)
      bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.bits());
    seal_index(bytes, kKey);
    const auto index = parse(bytes);
    if (!index) continue;
    ++accepted;
    for (const Photo& photo : std::as_const(index->photos.all))
      EXPECT_LT(index->photos.identity(photo).size() + index->photos.sequence(photo).size(), 100'000u);
  }
  EXPECT_GT(accepted, 300);  // a changed letter of a name is nobody's business
}

}  // namespace
}  // namespace nowhere
