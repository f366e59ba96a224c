#include "data/index_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "core/descriptor.h"
#include "core/signals.h"
#include "data/pack_fixture.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

class IndexCacheTest : public PackTest {
 protected:
  IndexCacheTest() {
    cache_.folder = folder_.path() / "cache";
    cache_.from = 1;
    make_directories(cache_.folder);
    pack();
  }

  CachedIndex open() {
    std::vector<PackReader> packs;
    packs.push_back(PackReader::open_header(config_.output));
    return open_pack_index(packs, cache_, [] { return false; });
  }

  fs::path index_file() const {
    for (const auto& entry : fs::directory_iterator(cache_.folder))
      if (entry.path().extension() == ".index") return entry.path();
    return {};
  }

  IndexCacheConfig cache_;
};

TEST_F(IndexCacheTest, TheSecondOneReads) {
  const CachedIndex first = open(), second = open();
  EXPECT_TRUE(first.walked && first.kept);
  EXPECT_FALSE(second.walked || second.kept);
  const PackReader pack = PackReader::open(config_.output);
  for (const CachedIndex* found : {&first, &second}) {
    const PackIndex& index = found->index;
    ASSERT_EQ(index.photos.all.size(), pack.size());
    EXPECT_EQ(index.digest, pack.header().digest);
    for (size_t i = 0; i < pack.size(); ++i) {
      EXPECT_EQ(index.photos.identity(index.photos.all[i]), pack.photos().identity(pack.photos().all[i]));
      EXPECT_EQ(index.photos.path(index.photos.all[i]), pack.photos().path(pack.photos().all[i]));
      std::vector<uint8_t> a, b;
      ASSERT_TRUE(pack.record_at({index.records[i].offset, index.records[i].size}, a));
      ASSERT_TRUE(pack.record(i, b));
      EXPECT_EQ(a, b);
    }
  }
  cache_.map_from = 1;
  EXPECT_FALSE(open().walked);
}

TEST_F(IndexCacheTest, FewPhotographsAreNotWorthAFile) {
  cache_.from = 25;
  EXPECT_FALSE(open().kept);
  EXPECT_EQ(index_file(), fs::path());
}

TEST_F(IndexCacheTest, APackThatChangedIsWalkedAgain) {
  EXPECT_TRUE(open().walked);
  make_city(folder_.path(), "rome", "query", 1, 2);
  pack();
  const CachedIndex changed = open();
  EXPECT_TRUE(changed.walked);
  EXPECT_EQ(changed.index.photos.all.size(), 26u);
  EXPECT_FALSE(open().walked);
}

TEST_F(IndexCacheTest, ADamagedFileIsMadeAgain) {
  open();
  const fs::path file = index_file();
  std::vector<uint8_t> whole;
  ASSERT_TRUE(read_file(file, whole));
  for (const size_t at : {size_t{0}, size_t{20}, size_t{130}, whole.size() / 2, whole.size() - 1}) {
    auto bytes = whole;
    bytes[at] ^= 1;
    write_file(file, bytes);
    const CachedIndex again = open();
    EXPECT_TRUE(again.walked && again.kept);
    EXPECT_EQ(again.index.photos.all.size(), 24u);
    EXPECT_FALSE(open().walked);
  }
  for (const size_t keep : {size_t{0}, size_t{100}, whole.size() - 1}) {
    fs::resize_file(file, keep);
    EXPECT_TRUE(open().walked);
  }
  fs::remove(file);
  make_directories(file / "in the way");
  const CachedIndex not_kept = open();
  EXPECT_TRUE(not_kept.walked);
  EXPECT_FALSE(not_kept.kept);
}

TEST_F(IndexCacheTest, WithoutAFolderEverybodyWalks) {
  cache_.folder = "/proc/nowhere";
  const CachedIndex found = open();
  EXPECT_TRUE(found.walked);
  EXPECT_FALSE(found.kept);
  EXPECT_EQ(found.index.photos.all.size(), 24u);
}

// Processes, as ranks are: exactly one of those that start together walks.
TEST_F(IndexCacheTest, OneOfManyProcessesWalks) {
  constexpr int kProcesses = 8;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const CachedIndex found = open();
      const char result = found.index.photos.all.size() != 24 ? 'x' : found.walked ? 'w' : 'r';
      ::_exit(::write(ends[1], &result, 1) == 1 ? 0 : 1);
    }
    children.push_back(child);
  }
  ::close(ends[1]);
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::string results(kProcesses, ' ');
  ASSERT_EQ(::read(ends[0], results.data(), results.size()), kProcesses);
  ::close(ends[0]);
  EXPECT_EQ(std::count(results.begin(), results.end(), 'w'), 1) << results;
  EXPECT_EQ(std::count(results.begin(), results.end(), 'r'), kProcesses - 1) << results;
}

TEST_F(IndexCacheTest, WhoWaitsCanBeStopped) {
  open();
  const fs::path file = index_file();
  fs::path lock = file;
  lock.replace_extension(".lock");
  const Descriptor held(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::flock(held.number(), LOCK_EX | LOCK_NB), 0);
  fs::remove(file);
  std::vector<PackReader> packs;
  packs.push_back(PackReader::open_header(config_.output));
  int asked = 0;
  EXPECT_THROW(open_pack_index(packs, cache_, [&] { return ++asked > 2; }), Stopped);
}

TEST_F(IndexCacheTest, OldFilesGo) {
  const fs::path old = cache_.folder / "packs-0000000000000001.index", other = cache_.folder / "mine.index";
  for (const fs::path& file : {old, other}) {
    write_file(file, std::string_view("x"));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * 100));
  }
  open();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(other));
}

class CacheFolderTest : public testing::Test {
 protected:
  CacheFolderTest() { keep("XDG_CACHE_HOME"), keep("HOME"), keep("TMPDIR"); }
  ~CacheFolderTest() override {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  static void set(const char* name, const fs::path& value) { ::setenv(name, value.c_str(), 1); }

  TestFolder folder_;

 private:
  void keep(const char* name) {
    const char* value = std::getenv(name);
    before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(CacheFolderTest, WhereItIs) {
  set("XDG_CACHE_HOME", folder_.path() / "xdg");
  set("HOME", folder_.path() / "home");
  set("TMPDIR", folder_.path());
  EXPECT_EQ(index_cache_folder(), folder_.path() / "xdg/nowhere");
  EXPECT_TRUE(fs::is_directory(folder_.path() / "xdg/nowhere"));
  set("XDG_CACHE_HOME", "not/absolute");
  EXPECT_EQ(index_cache_folder(), folder_.path() / "home/.cache/nowhere");
  ::unsetenv("XDG_CACHE_HOME");
  set("HOME", "/proc/nobody");
  const fs::path temporary = index_cache_folder();
  EXPECT_EQ(temporary, folder_.path() / ("nowhere-" + std::to_string(::geteuid())));
  // A folder that others may write to is not ours.
  fs::permissions(temporary, fs::perms::all);
  EXPECT_EQ(index_cache_folder(), fs::path());
  fs::remove(temporary);
  make_directories(folder_.path() / "elsewhere");
  fs::create_directory_symlink(folder_.path() / "elsewhere", temporary);
  EXPECT_EQ(index_cache_folder(), fs::path());
}

}  // namespace
}  // namespace nowhere
