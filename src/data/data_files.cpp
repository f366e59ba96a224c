#include "data/data_files.h"

#include <glob.h>

#include <algorithm>
#include <memory>

#include "image/decode.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> matches(const fs::path& pattern) {
  glob_t found{};
  const std::unique_ptr<glob_t, void (*)(glob_t*)> frees(&found, ::globfree);
  std::vector<fs::path> files;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) != 0) return files;
  files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  return files;
}

// A link to another folder counts as photographs: scan_folder() follows it and will tell.
bool has_photographs(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const bool is_folder = it->is_directory(ignored);
    if (is_folder ? it->is_symlink(ignored) : has_photo_ending(it->path().filename().native())) return true;
  }
  return false;
}

std::vector<fs::path> packs_in(const fs::path& folder) {
  std::vector<fs::path> packs;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() == ".nwp" && it->is_regular_file(ignored)) packs.push_back(it->path());
  }
  if (!packs.empty() && has_photographs(folder)) packs.clear();
  return packs;
}

}  // namespace

bool is_pattern(const fs::path& data) {
  std::error_code error;
  return data.native().find_first_of("*?[") != std::string::npos && !fs::exists(data, error);
}

std::vector<fs::path> packed_files(const fs::path& data) {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_regular_file(data, error))
    files = {data};
  else if (fs::is_directory(data, error))
    files = packs_in(data);
  else if (is_pattern(data))
    files = matches(data);
  // By their bytes: the order of the locale may differ between machines.
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
  return files;
}

bool data_exists(const fs::path& data) {
  std::error_code error;
  return fs::exists(data, error) || !packed_files(data).empty();
}

bool same_data(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const std::vector<fs::path> left = packed_files(a), right = packed_files(b);
  return !left.empty() && std::equal(left.begin(), left.end(), right.begin(), right.end(),
                                     [](const fs::path& one, const fs::path& other) {
                                       std::error_code ignored;
                                       return fs::equivalent(one, other, ignored);
                                     });
}

}  // namespace nowhere
