#include "data/scan.h"

#include <dirent.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"
#include "data/msls.h"
#include "image/decode.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

enum class Kind { kFile, kFolder, kOther };

// readdir usually knows the kind; links and some file systems need a stat, which follows the link.
Kind kind_of(const fs::path& folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return Kind::kFile;
  if (entry.d_type == DT_DIR) return Kind::kFolder;
  struct stat info {};
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return Kind::kOther;
  if (::stat((folder / entry.d_name).c_str(), &info) != 0) return Kind::kOther;
  return S_ISREG(info.st_mode) ? Kind::kFile : S_ISDIR(info.st_mode) ? Kind::kFolder : Kind::kOther;
}

class Walk {
 public:
  Walk(Scan& scan, const std::function<bool()>& stop) : scan_(scan), stop_(stop) {}

  void visit(const fs::path& folder) {
    if (!first_visit(folder)) return;
    std::vector<std::string> files, folders;
    if (!list(folder, files, folders)) {
      ++scan_.counts.unreadable_folders;
      return;
    }
    add_files(folder, files);
    files = {};  // freed before the walk goes deeper
    for (const std::string& name : folders) visit(folder / name);
  }

 private:
  bool first_visit(const fs::path& folder) {
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0) return ++scan_.counts.unreadable_folders, false;
    if (!seen_.emplace(info.st_dev, info.st_ino).second) return ++scan_.counts.repeated_folders, false;
    return true;
  }

  // Both lists come back in order, so that the result does not depend on the file system.
  bool list(const fs::path& folder, std::vector<std::string>& files, std::vector<std::string>& folders) {
    DIR* stream = ::opendir(folder.c_str());
    if (stream == nullptr) return false;
    while (const dirent* entry = ::readdir(stream)) {
      if (stop_()) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      const Kind kind = kind_of(folder, *entry);
      if (kind == Kind::kFolder)
        folders.emplace_back(name);
      else if (kind == Kind::kFile && has_photo_ending(name))
        files.emplace_back(name);
      else if (!name.ends_with(".csv"))  // the tables are read elsewhere
        ++scan_.counts.other_files;
    }
    ::closedir(stream);
    if (stop_()) throw Stopped();
    std::sort(files.begin(), files.end());
    std::sort(folders.begin(), folders.end());
    return true;
  }

  void add_files(const fs::path& folder, const std::vector<std::string>& files) {
    if (files.empty()) return;
    Photos& photos = scan_.photos;
    const size_t begin = photos.all.size();
    photos.folders.push_back(
        {.path = folder,
         .label =
             (scan_.root.filename() / folder.lexically_relative(scan_.root)).lexically_normal().string()});
    if (std::string& label = photos.folders.back().label; label.ends_with('/')) label.pop_back();
    photos.all.reserve(begin + files.size());
    for (const std::string& name : files) {
      Photo& photo = photos.all.emplace_back();
      photo.folder = static_cast<uint32_t>(photos.folders.size() - 1);
      photos.set_name(photo, name);
    }
    read_msls_tables(photos, begin, photos.all.size(), scan_.counts, stop_);
  }

  Scan& scan_;
  const std::function<bool()>& stop_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

}  // namespace

Scan scan_folder(const fs::path& root, const std::function<bool()>& stop) {
  std::error_code error;
  Scan scan;
  // Absolute, because the city's name may be above the folder that the user named.
  scan.root = fs::canonical(root, error);
  if (error)
    throw data_error(fmt::format("no such folder: {} ({})", printable(root), system_reason(error.value())));
  if (!fs::is_directory(scan.root))
    throw data_error(fmt::format("{} is neither a folder nor a packed file", printable(root)));
  if (::access(scan.root.c_str(), R_OK | X_OK) != 0)
    throw data_error(fmt::format("cannot read the folder {}: {}", printable(root), system_reason(errno)));
  Walk(scan, stop).visit(scan.root);
  if (scan.photos.all.empty())
    throw data_error(
        fmt::format("no photographs in {}: looked for .jpg .jpeg .png .tif .tiff .ppm .webp in it "
                    "and all folders below it",
                    printable(root)));
  return scan;
}

}  // namespace nowhere
