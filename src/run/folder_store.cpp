#include "run/folder_store.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/hash.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// Files are renamed into place, so a changed file has another inode, time or size.
uint64_t stamp_of(const std::string& name, const struct stat& info) {
  return hash64(fmt::format("{} {} {} {} {}", name, info.st_ino, info.st_size, info.st_mtim.tv_sec,
                            info.st_mtim.tv_nsec));
}

}  // namespace

std::vector<StoredFile> FolderStore::list() const {
  std::vector<StoredFile> files;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    // A file may have gone since it was listed.
    if (const auto found = stamp(name)) files.push_back({std::move(name), *found});
  }
  return files;
}

Result<StoredBytes> FolderStore::read(const std::string& name) const {
  auto mapped = MappedFile::open(folder_ / name);
  if (!mapped) return mapped.error();
  const auto owner = std::make_shared<const MappedFile>(std::move(*mapped));
  return StoredBytes{owner->bytes(), owner};
}

void FolderStore::write(const std::string& name, std::span<const uint8_t> bytes) {
  write_file(folder_ / name, bytes, /*durable=*/true);
}

void FolderStore::remove(const std::string& name) {
  std::error_code error;
  fs::remove(folder_ / name, error);
  if (error) throw Error(fmt::format("cannot remove {}: {}", location(name), system_reason(error.value())));
}

std::optional<uint64_t> FolderStore::stamp(const std::string& name) const {
  struct stat info {};
  if (::stat((folder_ / name).c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return stamp_of(name, info);
}

std::string FolderStore::location(const std::string& name) const {
  return printable(name.empty() ? folder_ : folder_ / name);
}

}  // namespace nowhere
