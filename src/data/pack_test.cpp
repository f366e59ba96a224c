#include <map>
#include <set>

#include "data/pack_fixture.h"
#include "data/pack_writer.h"
#include "image/resize.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

TEST_F(PackTest, HoldsEveryPhotographWithItsMetadata) {
  const PackSummary summary = pack();
  EXPECT_EQ(summary.added, 24);
  const PackReader packed = PackReader::open(config_.output);
  ASSERT_EQ(packed.size(), 24u);
  const auto source = open_source(folder_.path() / "train_val");
  std::map<std::string, size_t> by_identity;
  for (size_t i = 0; i < 24; ++i) by_identity[packed.photos().identity(packed.photos().all[i])] = i;
  Resizer resizer;
  Source::Scratch scratch, packed_scratch;
  for (size_t i = 0; i < 24; ++i) {
    const Photo& original = source->photos().all[i];
    const auto found = by_identity.find(source->photos().identity(original));
    ASSERT_NE(found, by_identity.end());
    const Photo& record = packed.photos().all[found->second];
    EXPECT_EQ(packed.photos().sequence(record), source->photos().sequence(original));
    EXPECT_EQ(record.night, original.night);
    EXPECT_EQ(record.view, original.view);
    EXPECT_EQ(record.frame, original.frame);
    EXPECT_EQ(record.easting, original.easting);
    const auto small =
        packed.frame(found->second, {}, packed_scratch.bytes, packed_scratch.decoder, packed_scratch.image);
    ASSERT_TRUE(small);
    EXPECT_EQ(small->view.width, 32);
    EXPECT_EQ(small->view.height, 24);
    const Image expected = resizer.resize(source->frame(i, {24}, scratch)->view, 32, 24);
    EXPECT_TRUE(std::equal(expected.pixels.begin(), expected.pixels.end(), small->view.data));
  }
}

TEST_F(PackTest, IsShuffled) {
  pack();
  const PackReader packed = PackReader::open(config_.output);
  int neighbours = 0;
  for (size_t i = 1; i < packed.size(); ++i) {
    const Photo &a = packed.photos().all[i - 1], &b = packed.photos().all[i];
    if (a.sequence == b.sequence && b.frame == a.frame + 1) ++neighbours;
  }
  EXPECT_LT(neighbours, 6);
}

TEST_F(PackTest, StoppedAndContinuedIsTheSame) {
  const std::string straight = pack().header.digest.hex();
  const auto whole = file_bytes();
  fs::remove(config_.output);
  for (int64_t stop : {5, 1, 11}) {
    EXPECT_TRUE(pack(stop).stopped);
    EXPECT_NE(refusal().find("not finished"), std::string::npos);
  }
  const PackSummary rest = pack();
  EXPECT_GE(rest.there_before, 11);  // what was packed before may be looked at again before it goes on
  EXPECT_EQ(rest.header.digest.hex(), straight);
  EXPECT_EQ(rest.header.count, 24);
  EXPECT_EQ(PackReader::open(config_.output).verify(2, [](int64_t) {}).digest.hex(), straight);
}

TEST_F(PackTest, ACityIsAddedLater) {
  pack();
  make_city(folder_.path(), "rome", "query", 2, 4);
  const PackSummary added = pack();
  EXPECT_EQ(added.added, 8);
  EXPECT_EQ(added.there_before, 24);
  EXPECT_EQ(added.header.parts.size(), 2u);
  fs::remove(config_.output);
  EXPECT_EQ(pack().header.digest, added.header.digest);  // the digest is of the content, not of its history
}

TEST_F(PackTest, ShardsAreDisjointAndComplete) {
  int64_t total = 0;
  std::set<std::string> identities;
  for (uint64_t shard = 1; shard <= 3; ++shard) {
    config_.output = folder_.path() / ("shard" + std::to_string(shard) + ".nwp");
    config_.shard = {shard, 3};
    total += pack().added;
    const PackReader packed = PackReader::open(config_.output);
    for (const Photo& photo : packed.photos().all) identities.insert(packed.photos().identity(photo));
  }
  EXPECT_EQ(total, 24);
  EXPECT_EQ(identities.size(), 24u);
  EXPECT_FALSE(parse_shard("0/3"));
  EXPECT_FALSE(parse_shard("4/3"));
  EXPECT_FALSE(parse_shard("1"));
  EXPECT_FALSE(parse_shard("a/b"));
}

TEST_F(PackTest, BadFilesAreQuarantined) {
  const auto images = folder_.path() / "train_val/oslo/database/images";
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(read_file(images / "oslo_database_0_000.jpg", bytes));
  write_file(images / "oslo_database_0_000.jpg", std::span(bytes).first(bytes.size() / 2));
  write_file(images / "odd, \"name\".jpg", std::string_view("no picture"));
  const PackSummary summary = pack();
  EXPECT_EQ(summary.added, 23);
  EXPECT_EQ(summary.rejected, 2);
  const std::string rejects(MappedFile::open(rejects_path(config_.output))->text());
  EXPECT_NE(rejects.find("oslo_database_0_000.jpg,damaged JPEG: "), std::string::npos) << rejects;
  EXPECT_NE(rejects.find("odd, \"\"name\"\".jpg\",\"not a photograph"), std::string::npos) << rejects;
  // What is packed later does not shorten the list.
  make_city(folder_.path(), "rome", "query", 1, 2);
  EXPECT_EQ(pack().rejected, 2);
  // Mended, they are added and the list goes.
  write_file(images / "oslo_database_0_000.jpg", bytes);
  write_file(images / "odd, \"name\".jpg", bytes);
  EXPECT_EQ(pack().added, 2);
  EXPECT_FALSE(fs::exists(rejects_path(config_.output)));
}

TEST_F(PackTest, TheSamePhotographTwiceIsPackedOnce) {
  fs::create_directories(folder_.path() / "train_val/again");
  fs::copy(folder_.path() / "train_val/oslo", folder_.path() / "train_val/again/oslo",
           fs::copy_options::recursive);
  const PackSummary summary = pack();
  EXPECT_EQ(summary.added, 24);
  EXPECT_EQ(summary.repeated, 24);
}

TEST_F(PackTest, MergedShardsAreTheWhole) {
  for (Codec codec : {Codec::kRaw, Codec::kJpeg}) {
    config_.codec = codec;
    config_.shard = {1, 1};
    config_.output = folder_.path() / "whole.nwp";
    fs::remove(config_.output);
    const SetDigest whole = pack().header.digest;
    const auto merged = folder_.path() / "merged.nwp";
    fs::remove(merged);
    SetDigest digest;
    for (uint64_t shard = 1; shard <= 2; ++shard) {
      config_.output = folder_.path() / "shard.nwp";
      config_.shard = {shard, 2};
      fs::remove(config_.output);
      pack();
      const auto source = open_source(config_.output);
      const Selection all = select_photos(
          *source, {}, 1, [](int64_t, int64_t) {}, [] { return false; });
      PackConfig into = config_;
      into.output = merged;
      into.shard = {1, 1};
      digest = pack_photos(
                   *source, all.photos, into, [](int64_t, int64_t) {}, [] { return false; })
                   .header.digest;
    }
    EXPECT_EQ(digest, whole);
  }
}

TEST_F(PackTest, PlainFoldersKeepTheirIdentity) {
  const auto plain = folder_.path() / "plain";
  make_directories(plain / "a");
  make_directories(plain / "b");
  write_jpeg(plain / "a" / "1.jpg", test_picture(1));
  write_jpeg(plain / "b" / "1.jpg",
             test_picture(2));  // the same name in another folder is another photograph
  const auto source = open_source(plain);
  const auto pack_it = [&](const Source& from) {
    return pack_photos(
        from, {0, 1}, config_, [](int64_t, int64_t) {}, [] { return false; });
  };
  EXPECT_EQ(pack_it(*source).added, 2);
  const auto packed = open_source(config_.output);
  for (uint32_t i : {0u, 1u}) {
    const auto identity = packed->photos().identity(packed->photos().all[i]);
    EXPECT_TRUE(identity == "plain/a/1.jpg" || identity == "plain/b/1.jpg") << identity;
  }
  // Moved elsewhere, the folder has nothing new.
  fs::create_directories(folder_.path() / "elsewhere");
  fs::rename(plain, folder_.path() / "elsewhere" / "plain");
  EXPECT_EQ(pack_it(*open_source(folder_.path() / "elsewhere" / "plain")).added, 0);
}

TEST_F(PackTest, StoppedBeforeTheFirstRecordIsAsGoodAsNew) {
  EXPECT_TRUE(pack(0).stopped);
  config_.height = 30;
  config_.codec = Codec::kJpeg;
  EXPECT_EQ(pack().header.height, 30);
}

TEST_F(PackTest, NothingReadableIsADataError) {
  const auto images = folder_.path() / "train_val/oslo/database/images";
  for (const auto& entry : fs::directory_iterator(images))
    write_file(entry.path(), std::string_view("broken"));
  try {
    pack();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_NE(std::string(error.what()).find("no photograph can be read (24 rejected)"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(fs::exists(config_.output));
  EXPECT_TRUE(fs::exists(rejects_path(config_.output)));
}

TEST_F(PackTest, AnotherHeightOrAnotherWriterIsRefused) {
  pack();
  config_.height = 30;
  EXPECT_THROW(pack(), Error);
  config_.height = 24;
  const PackWriter writing(config_.output, 24, Codec::kRaw, {});
  EXPECT_THROW(pack(), Error);
}

TEST_F(PackTest, JpegRecordsComeBackClose) {
  config_.codec = Codec::kJpeg;
  pack();
  const PackReader packed = PackReader::open(config_.output);
  Source::Scratch scratch;
  for (size_t i = 0; i < packed.size(); ++i)
    ASSERT_TRUE(packed.frame(i, {}, scratch.bytes, scratch.decoder, scratch.image));
  EXPECT_TRUE(packed.verify(2, [](int64_t) {}).damaged.empty());
}

}  // namespace
}  // namespace nowhere
