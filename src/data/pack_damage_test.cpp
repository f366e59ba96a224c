// Packs that are damaged, foreign, or made of hostile names.
#include <algorithm>
#include <cstring>

#include "core/random.h"
#include "data/loader.h"
#include "data/pack_fixture.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

using PackDamageTest = PackTest;

TEST_F(PackDamageTest, NamesOfAnyBytesCanBePacked) {
  const auto strange = folder_.path() / "caf\xe9\n";
  make_directories(strange);
  write_jpeg(strange / "\xff.jpg", test_picture(1));
  make_city(folder_.path(), "os\xe9lo", "query", 1, 2);
  for (const auto& root : {strange, folder_.path() / "train_val"}) {
    const auto source = open_source(root);
    std::vector<uint32_t> all(source->photos().all.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint32_t>(i);
    pack_photos(
        *source, all, config_, [](int64_t, int64_t) {}, [] { return false; });
    EXPECT_EQ(refusal(), "");
  }
}

TEST_F(PackDamageTest, ALongSequenceKeyIsNoSequence) {
  const auto table = folder_.path() / "train_val/oslo/database/seq_info.csv";
  write_file(table,
             ",key,sequence_key,frame_number\n0,oslo_database_0_000," + std::string(70'000, 'k') + ",0\n");
  pack();
  EXPECT_EQ(refusal(), "");
}

TEST_F(PackDamageTest, ADamagedPackIsNotWrittenTo) {
  pack();
  auto bytes = file_bytes();
  const std::string name = "oslo_database_1_003.jpg";
  const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
  ASSERT_NE(at, bytes.end());
  *at ^= 1;  // metadata that no longer fit their checksum
  write_file(config_.output, bytes);
  EXPECT_NE(refusal().find("remove it"), std::string::npos);
  EXPECT_THROW(pack(), Error);
  EXPECT_EQ(file_bytes(), bytes);
}

// LMDB trusts its list of free pages: a wrong one would make it overwrite records.
TEST_F(PackDamageTest, ADamagedFreeListIsNoticed) {
  pack();
  make_city(folder_.path(), "rome", "query", 1, 4);
  pack();  // by now pages have been freed
  const auto sound = file_bytes();
  const auto sound_check = [](std::span<const uint8_t> bytes) {
    const FileBytes file(bytes);
    return LmdbFile::open(file)->check();
  };
  EXPECT_TRUE(sound_check(sound));
  const auto word = [&](size_t at) {
    uint64_t value = 0;
    std::memcpy(&value, sound.data() + at, 8);
    return value;
  };
  // By LMDB's layout: the newer meta page has the roots of both trees; the first entry of the free tree's
  // leaf is a key of 8 bytes, then how many pages are free, then their numbers.
  constexpr size_t kPage = 4096, kTransaction = 144, kFreeRoot = 80, kMainRoot = 128;
  const size_t meta = word(kPage + kTransaction) > word(kTransaction) ? kPage : 0;
  const size_t leaf = word(meta + kFreeRoot) * kPage;
  const size_t list = leaf + (word(leaf + 16) & 0xffff) + 8 + 8;
  ASSERT_GT(word(list), 0u);
  ASSERT_LT(word(list), 500u);
  const auto refused_with = [&](size_t at, uint64_t value) {
    auto damaged = sound;
    std::memcpy(damaged.data() + at, &value, 8);
    return !sound_check(damaged);
  };
  EXPECT_FALSE(refused_with(list, word(list)));  // nothing changed
  EXPECT_TRUE(refused_with(list, uint64_t{1} << 40)) << "more pages than the entry has room for";
  EXPECT_TRUE(refused_with(list + 8, word(meta + kMainRoot))) << "a page in use";
  EXPECT_TRUE(refused_with(list + 8, 1)) << "a meta page";
  EXPECT_TRUE(refused_with(list + 8, sound.size())) << "a page that is not there";
}

TEST_F(PackDamageTest, OtherFilesAreRefused) {
  const auto refuse = [&](const std::string& content) {
    write_file(config_.output, content);
    return refusal();
  };
  EXPECT_NE(refuse("").find("not a packed file"), std::string::npos);
  EXPECT_NE(refuse("some text that is no pack at all").find("not a packed file"), std::string::npos);
  EXPECT_NE(refuse(std::string(100'000, 'x')).find("not a packed file"), std::string::npos);
  EXPECT_THROW(pack(), Error);  // and not overwritten
  EXPECT_EQ(file_bytes().size(), 100'000u);
}

TEST_F(PackDamageTest, AnotherVersionIsRefused) {
  pack();
  auto bytes = file_bytes();
  const std::string ours = "\"version\":1", theirs = "\"version\":9";
  for (auto at = bytes.begin();; at += 1) {
    at = std::search(at, bytes.end(), ours.begin(), ours.end());
    if (at == bytes.end()) break;
    std::copy(theirs.begin(), theirs.end(), at);
  }
  write_file(config_.output, bytes);
  EXPECT_NE(refusal().find("of version 9, this program reads version 1"), std::string::npos);
}

TEST_F(PackDamageTest, TruncationIsNoticedAtOpening) {
  pack();
  const auto whole = file_bytes();
  for (size_t keep : {whole.size() - 4096, whole.size() / 2, size_t{8192}, size_t{5000}}) {
    write_file(config_.output, std::span(whole).first(keep));
    const std::string message = refusal();
    EXPECT_NE(message, "") << keep;
    EXPECT_NE(message.find("remove it and pack the photographs again"), std::string::npos) << message;
  }
}

// Somebody copies another file over the one that a run reads: what is gone fails record by record, and no
// signal ends the process.
TEST_F(PackDamageTest, AFileThatIsCutShortWhileItIsReadFailsByRecord) {
  for (Codec codec : {Codec::kRaw, Codec::kJpeg}) {
    config_.codec = codec;
    config_.height = 32;
    fs::remove(config_.output);
    pack();
    const auto source = open_source(config_.output);
    const PackReader packed = PackReader::open(config_.output);
    Source::Scratch scratch;
    for (size_t i = 0; i < packed.size(); ++i) ASSERT_TRUE(source->frame(i, {}, scratch));
    for (const uintmax_t keep : {fs::file_size(config_.output) / 2, uintmax_t{100}, uintmax_t{0}}) {
      fs::resize_file(config_.output, keep);
      size_t lost = 0;
      for (size_t i = 0; i < packed.size(); ++i) {
        const auto frame = source->frame(i, {}, scratch);
        if (!frame) {
          ++lost;
          EXPECT_NE(frame.error().reason.find("cut short"), std::string::npos) << frame.error().reason;
        }
        EXPECT_EQ(source->packed(i, scratch).has_value(), frame.has_value());
      }
      EXPECT_GT(lost, 3u);
      EXPECT_EQ(lost == packed.size(), keep <= 100);
      EXPECT_EQ(packed.verify(2, [](int64_t) {}).damaged.size(), lost);
    }
  }
}

// The loader replaces what it can; when nothing is left, the error names the file.
TEST_F(PackDamageTest, TheLoaderEndsInOrderWhenNothingIsLeft) {
  pack();
  const auto source = open_source(config_.output);
  LoaderConfig config;
  config.sample.size = 16;
  config.batch = 4;
  config.threads = 2;
  Loader loader(*source, Sampler(source->photos(), {0, 1, 2, 3, 4, 5, 6, 7}, {}), config, {});
  ASSERT_TRUE(loader.next());
  fs::resize_file(config_.output, 0);
  try {
    for (int i = 0; i < 1000; ++i) loader.next();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_NE(std::string(error.what()).find("streets.nwp"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("cut short"), std::string::npos) << error.what();
  }
}

// A flipped bit anywhere: the file is refused, or verify names the record, or the bit was in unused space.
// Never a crash, never a wrong pixel.
TEST_F(PackDamageTest, AnyFlippedBitIsFoundOrHarmless) {
  pack();
  const auto whole = file_bytes();
  const std::string digest = PackReader::open(config_.output).header().digest.hex();
  Random random(9, Purpose::kSynth);
  int refused = 0, damaged = 0;
  for (int i = 0; i < 600; ++i) {
    auto bytes = whole;
    bytes[random.below(bytes.size())] ^= static_cast<uint8_t>(1u << random.below(8));
    const auto packed = PackReader::parse(FileBytes(bytes));
    if (!packed || packed->header().version != kPackVersion) {
      ++refused;
      continue;
    }
    const auto verdict = packed->verify(1, [](int64_t) {});
    damaged += !verdict.damaged.empty();
    const bool sound = verdict.damaged.empty() && verdict.digest == packed->header().digest;
    EXPECT_TRUE(!sound || verdict.digest.hex() == digest);
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(damaged, 100);
}

TEST_F(PackDamageTest, ADamagedRecordIsNamed) {
  pack();
  auto bytes = file_bytes();
  const PackReader packed = PackReader::open(config_.output);
  Source::Scratch scratch;
  const auto pixels = packed.frame(7, {}, scratch.bytes, scratch.decoder, scratch.image);
  // Find the frame's bytes in the file and change one of them.
  const auto at = std::search(bytes.begin(), bytes.end(), pixels->view.data, pixels->view.data + 300);
  ASSERT_NE(at, bytes.end());
  *at ^= 1;
  write_file(config_.output, bytes);
  const auto verdict = PackReader::open(config_.output).verify(2, [](int64_t) {});
  ASSERT_EQ(verdict.damaged.size(), 1u);
  EXPECT_EQ(verdict.damaged[0].record, 7u);
}

}  // namespace
}  // namespace nowhere
