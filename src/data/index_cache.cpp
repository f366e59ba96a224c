#include "data/index_cache.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "core/descriptor.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/signals.h"
#include "data/index_file.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

bool can_write(const fs::path& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// Nobody else may put files there: names in the folder for temporary files are free for all.
bool is_only_ours(const fs::path& folder) {
  struct stat info {};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

fs::path user_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && fs::path(cache).is_absolute()) return cache;
  const char* home = std::getenv("HOME");
  return home != nullptr && fs::path(home).is_absolute() ? fs::path(home) / ".cache" : fs::path();
}

// The packs by their paths and what they hold. A pack that changes gets another index: nobody's is replaced.
IndexKey key_of(std::span<const PackReader> packs) {
  IndexKey key;
  for (const PackReader& pack : packs) {
    std::error_code error;
    const fs::path whole = fs::absolute(pack.path(), error).lexically_normal();
    key.stamp = hash64(whole.native(), mix64(key.stamp ^ pack.stamp()));
    key.file_sizes.push_back(pack.file_size());
  }
  return key;
}

// An index takes about 100 bytes a photograph: those that nobody used for long go.
void remove_old(const fs::path& folder) {
  constexpr auto kLong = std::chrono::hours(24 * 90);
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().native().starts_with("packs-")) continue;
    std::error_code ignored;
    const auto used = fs::last_write_time(it->path(), ignored);
    if (!ignored && fs::file_time_type::clock::now() - used > kLong) fs::remove(it->path(), ignored);
  }
}

class IndexCache {
 public:
  IndexCache(std::span<const PackReader> packs, const IndexCacheConfig& config)
      : packs_(packs),
        config_(config),
        key_(key_of(packs)),
        file_(config.folder / fmt::format("packs-{:016x}.index", key_.stamp)) {}

  std::optional<PackIndex> read() const {
    auto index = read_index(file_, key_, config_.map_from);
    if (!index) return std::nullopt;
    ::utimensat(AT_FDCWD, file_.c_str(), nullptr, 0);  // it was used just now
    const Folder columns = index->photos.folders[0];
    set_pack_folders(index->photos, packs_, columns);
    return std::move(*index);
  }

  // Takes the lock, or finds that the process that had it has written the index. Without a lock, which some
  // network file systems do not offer, everybody walks.
  std::optional<PackIndex> wait(const std::function<bool()>& stop) {
    constexpr auto kPause = std::chrono::milliseconds(20);
    fs::path path = file_;
    path.replace_extension(".lock");
    lock_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    while (lock_.is_open() && ::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) break;
      if (stop()) throw Stopped();
      std::this_thread::sleep_for(kPause);
      if (auto index = read_if_there()) return index;
    }
    return read_if_there();
  }

  bool write(const PackIndex& index) const {
    try {
      write_index(file_, index, key_);
      remove_old(config_.folder);
      return true;
    } catch (const Error&) {
      return false;  // a full disk costs the next process a walk, and nothing else
    }
  }

  bool is_mapped() const {
    std::error_code error;
    const auto size = fs::file_size(file_, error);
    return !error && size >= config_.map_from;
  }

 private:
  std::optional<PackIndex> read_if_there() const {
    std::error_code error;
    return fs::exists(file_, error) ? read() : std::nullopt;
  }

  std::span<const PackReader> packs_;
  const IndexCacheConfig& config_;
  IndexKey key_;
  fs::path file_;
  Descriptor lock_;
};

}  // namespace

fs::path index_cache_folder() {
  std::error_code error;
  if (const fs::path cache = user_cache(); !cache.empty()) {
    fs::path folder = cache / "nowhere";
    fs::create_directories(folder, error);
    if (can_write(folder)) return folder;
  }
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) return {};
  const fs::path folder = temporary / fmt::format("nowhere-{}", ::geteuid());
  ::mkdir(folder.c_str(), 0700);
  return is_only_ours(folder) && can_write(folder) ? folder : fs::path();
}

CachedIndex open_pack_index(std::span<const PackReader> packs, const IndexCacheConfig& config,
                            const std::function<bool()>& stop) {
  int64_t photographs = 0;
  for (const PackReader& pack : packs) photographs += pack.header().count;
  if (config.folder.empty() || photographs < config.from) return {make_pack_index(packs), true, false};
  IndexCache cache(packs, config);
  if (auto index = cache.read()) return {std::move(*index)};
  if (auto index = cache.wait(stop)) return {std::move(*index)};
  CachedIndex made{make_pack_index(packs), true, false};
  made.kept = cache.write(made.index);
  // The tables of many photographs are better shared with the other processes than held twice.
  if (made.kept && cache.is_mapped())
    if (auto index = cache.read()) made.index = std::move(*index);
  return made;
}

}  // namespace nowhere
