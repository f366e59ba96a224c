#include "data/source.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <array>
#include <ctime>

#include "core/file.h"
#include "core/hash.h"
#include "data/data_files.h"
#include "data/pack_source.h"

namespace nowhere {
namespace {

// Of which file this is, how long it is, and when it was changed last. The time of the last change of its
// inode cannot be set by programs that restore other times, such as unzip.
uint64_t file_stamp(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return 0;
  // The clock of a file system may be coarse: what changed just now may change again without showing it.
  constexpr int64_t kSettled = 2;  // seconds
  if (std::time(nullptr) - info.st_ctim.tv_sec <= kSettled) return 0;
  const std::array<uint64_t, 7> facts = {info.st_dev,
                                         info.st_ino,
                                         static_cast<uint64_t>(info.st_size),
                                         static_cast<uint64_t>(info.st_mtim.tv_sec),
                                         static_cast<uint64_t>(info.st_mtim.tv_nsec),
                                         static_cast<uint64_t>(info.st_ctim.tv_sec),
                                         static_cast<uint64_t>(info.st_ctim.tv_nsec)};
  return hash64({reinterpret_cast<const uint8_t*>(facts.data()), sizeof(facts)});
}

class FolderSource : public Source {
 public:
  explicit FolderSource(Scan scan) : scan_(std::move(scan)) {}

  const Photos& photos() const override { return scan_.photos; }
  const ScanCounts& counts() const override { return scan_.counts; }
  std::string name() const override { return printable(scan_.root); }
  std::string description() const override { return "folder"; }

  Result<void> read(size_t photo, Scratch& scratch) const override {
    return read_file(scan_.photos.path(scan_.photos.all[photo]), scratch.bytes);
  }

  uint64_t stamp(size_t photo) const override {
    return file_stamp(scan_.photos.path(scan_.photos.all[photo]));
  }

  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    if (auto done = read(photo, scratch); !done) return done.error();
    if (auto decoded = scratch.decoder.decode(scratch.bytes, detail, scratch.image); !decoded)
      return decoded.error();
    return whole_frame(scratch.image.view(), scratch.decoder.short_side());
  }

 private:
  Scan scan_;
};

}  // namespace

std::unique_ptr<Source> open_source(const std::filesystem::path& data, const std::function<bool()>& stop) {
  if (const auto packs = packed_files(data); !packs.empty()) return open_packs(packs, data, stop);
  if (is_pattern(data))
    throw data_error(
        fmt::format("no file matches {}; give the packed files that `nowhere pack` wrote", printable(data)));
  return std::make_unique<FolderSource>(scan_folder(data, stop));
}

}  // namespace nowhere
