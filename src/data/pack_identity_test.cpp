// Which photographs a pack takes for the same: those with the same name and the same pixels.
#include <lmdb.h>

#include <atomic>
#include <map>
#include <set>

#include "data/pack_fixture.h"
#include "data/pack_writer.h"
#include "data/split.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class PackIdentityTest : public PackTest {
 protected:
  // A folder of photographs 0.jpg, 1.jpg, ...
  fs::path photographs(const fs::path& folder, const std::vector<int>& pictures) {
    make_directories(folder_.path() / folder);
    for (size_t i = 0; i < pictures.size(); ++i)
      write_jpeg(folder_.path() / folder / (std::to_string(i) + ".jpg"), test_picture(pictures[i]));
    return folder_.path() / folder;
  }

  PackSummary pack_all(const Source& source) {
    std::vector<uint32_t> all(source.photos().all.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint32_t>(i);
    return pack_photos(
        source, all, config_, [](int64_t, int64_t) {}, [] { return false; });
  }
  PackSummary pack_all(const fs::path& data) { return pack_all(*open_source(data)); }

  // Takes away what packs of older programs do not have.
  void forget_origins() {
    MDB_env* environment = nullptr;
    MDB_txn* transaction = nullptr;
    MDB_dbi origins = 0;
    ASSERT_EQ(mdb_env_create(&environment), 0);
    ASSERT_EQ(mdb_env_set_maxdbs(environment, 6), 0);
    ASSERT_EQ(mdb_env_open(environment, config_.output.c_str(), MDB_NOSUBDIR | MDB_NOLOCK, 0644), 0);
    ASSERT_EQ(mdb_txn_begin(environment, nullptr, 0, &transaction), 0);
    ASSERT_EQ(mdb_dbi_open(transaction, kOriginsDb, 0, &origins), 0);
    ASSERT_EQ(mdb_drop(transaction, origins, 1), 0);
    ASSERT_EQ(mdb_txn_commit(transaction), 0);
    mdb_env_close(environment);
  }
};

// Counts what is read, and has stamps of the test's choosing.
class WatchedSource : public Source {
 public:
  WatchedSource(const fs::path& data, uint64_t stamp) : source_(open_source(data)), stamp_(stamp) {}

  const Photos& photos() const override { return source_->photos(); }
  const ScanCounts& counts() const override { return source_->counts(); }
  std::string name() const override { return source_->name(); }
  std::string description() const override { return source_->description(); }
  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    ++decoded;
    return source_->frame(photo, detail, scratch);
  }
  Result<void> read(size_t photo, Scratch& scratch) const override {
    ++read_only;
    return source_->read(photo, scratch);
  }
  uint64_t stamp(size_t photo) const override { return stamp_ == 0 ? 0 : stamp_ + photo; }

  mutable std::atomic<int> decoded = 0, read_only = 0;

 private:
  std::unique_ptr<Source> source_;
  uint64_t stamp_;
};

TEST_F(PackIdentityTest, AnotherFolderOfTheSameNameIsAddedToo) {
  const auto a = photographs("a/images", {1, 2, 3, 4, 5});
  const auto b = photographs("b/images", {11, 12, 3, 14, 15});  // 2.jpg is the same in both
  EXPECT_EQ(pack_all(a).added, 5);
  const PackSummary second = pack_all(b);
  EXPECT_EQ(second.added, 4);
  EXPECT_EQ(second.renamed, 4);
  EXPECT_EQ(second.there_before, 1);
  for (const auto& again : {a, b, a}) {
    const PackSummary nothing = pack_all(again);
    EXPECT_EQ(nothing.added, 0);
    EXPECT_EQ(nothing.there_before, 5);
    EXPECT_EQ(nothing.header.digest, second.header.digest);
  }
  const PackReader packed = PackReader::open(config_.output);
  ASSERT_EQ(packed.size(), 9u);
  EXPECT_TRUE(packed.verify(1, [](int64_t) {}).damaged.empty());
  std::set<std::string> identities;
  for (const Photo& photo : packed.photos().all) {
    identities.insert(packed.photos().identity(photo));
    EXPECT_EQ(packed.photos().file_name(photo).size(), 5u) << packed.photos().name(photo);
  }
  EXPECT_EQ(identities.size(), 9u);
}

// The side of the split hangs on the file name, and a pack is filtered again when it is read.
TEST_F(PackIdentityTest, AnotherNameKeepsTheSplit) {
  pack_all(photographs("a/images", {1, 2, 3}));
  const auto b = photographs("b/images", {11, 12, 13});
  pack_all(b);
  const auto source = open_source(b);
  std::map<std::string, Split> sides;
  for (const Photo& photo : source->photos().all)
    sides[std::string(source->photos().file_name(photo))] = split_of(source->photos(), photo);
  const PackReader packed = PackReader::open(config_.output);
  for (const Photo& photo : packed.photos().all)
    EXPECT_EQ(split_of(packed.photos(), photo), sides.at(std::string(packed.photos().file_name(photo))));
}

TEST_F(PackIdentityTest, OneTreeMayHaveAnIdentityTwice) {
  make_city(folder_.path() / "more", "oslo", "database", 3, 8);
  const auto images = folder_.path() / "more/train_val/oslo/database/images";
  write_jpeg(images / "oslo_database_1_003.jpg", test_picture(77));
  fs::rename(folder_.path() / "more/train_val/oslo", folder_.path() / "oslo");
  make_directories(folder_.path() / "train_val/again");
  fs::rename(folder_.path() / "oslo", folder_.path() / "train_val/again/oslo");
  for (const bool first : {true, false}) {
    const PackSummary summary = pack();
    EXPECT_EQ(summary.added, first ? 25 : 0);
    EXPECT_EQ(summary.renamed, first ? 1 : 0);
    EXPECT_EQ(summary.there_before, first ? 0 : 25);
    EXPECT_EQ(summary.repeated, 23);
  }
}

TEST_F(PackIdentityTest, StoppedInBetweenIsTheSame) {
  pack_all(photographs("a/images", {1, 2, 3, 4, 5}));
  const auto start = file_bytes();
  const auto b = photographs("b/images", {11, 12, 13, 14, 15});
  const SetDigest straight = pack_all(b).header.digest;
  write_file(config_.output, start);
  const auto source = open_source(b);
  for (int i = 0; i < 2; ++i) {
    int64_t seen = 0;
    pack_photos(
        *source, {0, 1, 2, 3, 4}, config_, [&](int64_t, int64_t) { ++seen; }, [&] { return seen >= 3; });
  }
  EXPECT_EQ(pack_all(b).header.digest, straight);
}

TEST_F(PackIdentityTest, MergingPacksIsTheSameAsPackingTheirFolders) {
  const auto a = photographs("a/images", {1, 2, 3}), b = photographs("b/images", {11, 12, 3});
  const auto merged = folder_.path() / "merged.nwp";
  for (Codec codec : {Codec::kRaw, Codec::kJpeg}) {
    config_.codec = codec;
    for (const char* name : {"streets.nwp", "a.nwp", "b.nwp", "merged.nwp", "copy.nwp"})
      fs::remove(folder_.path() / name);
    const auto into = [&](const char* name, const fs::path& data) {
      config_.output = folder_.path() / name;
      return pack_all(data);
    };
    into("streets.nwp", a);
    const SetDigest straight = into("streets.nwp", b).header.digest;
    into("a.nwp", a);
    into("b.nwp", b);
    into("merged.nwp", folder_.path() / "a.nwp");
    EXPECT_EQ(into("merged.nwp", folder_.path() / "b.nwp").header.digest, straight);
    EXPECT_EQ(into("merged.nwp", folder_.path() / "b.nwp").there_before, 3);
    EXPECT_EQ(into("merged.nwp", b).there_before, 3) << "and the folder has nothing new either";
    EXPECT_EQ(into("copy.nwp", merged).header.digest, straight);
    EXPECT_EQ(into("merged.nwp", folder_.path() / "streets.nwp").added, 0);
  }
}

TEST_F(PackIdentityTest, PacksOfOlderProgramsAreContinued) {
  const auto a = photographs("a/images", {1, 2, 3}), b = photographs("b/images", {11, 12, 13});
  pack_all(a);
  forget_origins();
  EXPECT_EQ(refusal(), "");
  WatchedSource again(a, 100);
  EXPECT_EQ(pack_all(again).there_before, 3);
  EXPECT_EQ(again.decoded, 3) << "there is nothing but pixels to compare with";
  WatchedSource third(a, 100);
  EXPECT_EQ(pack_all(third).there_before, 3);
  EXPECT_EQ(third.decoded + third.read_only, 0) << "what was learnt is kept";
  forget_origins();
  EXPECT_EQ(pack_all(b).added, 3);
  EXPECT_EQ(pack_all(a).there_before, 3);
}

TEST_F(PackIdentityTest, WhatNobodyTouchedIsNotOpened) {
  const auto a = photographs("a/images", {1, 2, 3});
  EXPECT_EQ(pack_all(WatchedSource(a, 100)).added, 3);
  WatchedSource untouched(a, 100), moved(a, 200), unknown(a, 0);
  EXPECT_EQ(pack_all(untouched).there_before, 3);
  EXPECT_EQ(untouched.decoded + untouched.read_only, 0);
  EXPECT_EQ(pack_all(moved).there_before, 3);
  EXPECT_EQ(moved.read_only, 3);
  EXPECT_EQ(moved.decoded, 0);
  EXPECT_EQ(pack_all(unknown).there_before, 3);
  EXPECT_EQ(unknown.decoded, 0);
}

TEST_F(PackIdentityTest, EveryFileHasAStampOfItsOwn) {
  const auto a = photographs("a/images", {1});
  const auto source = open_source(a);
  fs::remove(a / "0.jpg");
  EXPECT_EQ(source->stamp(0), 0u);
  const auto old = open_source(fs::path(NOWHERE_FIXTURES));
  std::set<uint64_t> stamps;
  for (size_t i = 0; i < old->photos().all.size(); ++i) {
    EXPECT_EQ(old->stamp(i), old->stamp(i));
    stamps.insert(old->stamp(i));
  }
  EXPECT_EQ(stamps.size(), old->photos().all.size());
}

TEST_F(PackIdentityTest, AnEditedPhotographIsAnotherOne) {
  const auto a = photographs("a/images", {1, 2, 3});
  pack_all(a);
  write_jpeg(a / "1.jpg", test_picture(9));
  const PackSummary summary = pack_all(a);
  EXPECT_EQ(summary.added, 1);
  EXPECT_EQ(summary.renamed, 1);
  EXPECT_EQ(summary.there_before, 2);
}

TEST(PackName, TheMarkOfADistinctName) {
  EXPECT_EQ(distinct_name("images/1.jpg", 0xabc), "images/#0000000000000abc/1.jpg");
  EXPECT_EQ(distinct_name("1.jpg", 1), "#0000000000000001/1.jpg");
  for (const char* name : {"images/1.jpg", "1.jpg", "a/b/c.jpg", "", "a/", "/a"})
    EXPECT_EQ(plain_name(distinct_name(name, 0x123456789abcdef0)), name);
  for (const char* name : {"x#0000000000000abc/1.jpg", "#0000000000000abg/1.jpg", "#000000000000abc/1.jpg",
                           "#0000000000000abc", "a/#0000000000000abc/b/1.jpg"})
    EXPECT_EQ(plain_name(name), name);
}

}  // namespace
}  // namespace nowhere
