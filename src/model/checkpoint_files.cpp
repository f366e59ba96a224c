#include "model/checkpoint_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <string>
#include <tuple>

#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

struct Found {
  uint64_t epoch = 0, batches = 0;  // batches of the epoch after
  bool slim = false;
  fs::path path;

  auto age() const { return std::tuple(epoch, batches, slim); }  // the newest last, slim behind full
};

std::vector<Found> find_checkpoints(const fs::path& run) {
  static const std::regex name(R"((slim_)?checkpoint_(\d{1,18})(?:_batch_(\d{1,18}))?\.pt)");
  std::vector<Found> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run, error)) {
    std::smatch match;
    const std::string file = entry.path().filename().string();
    if (!std::regex_match(file, match, name)) continue;
    found.push_back({std::stoull(match[2]), match[3].matched ? std::stoull(match[3]) : 0, match[1].matched,
                     entry.path()});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.age() < b.age(); });
  return found;
}

std::string epoch_list(const std::vector<uint64_t>& epochs) {
  if (epochs.empty()) return "none";
  if (epochs.size() == 1) return fmt::format("{}", epochs.front());
  return fmt::format("{} of them from {} to {}", epochs.size(), epochs.front(), epochs.back());
}

}  // namespace

std::vector<uint64_t> saved_epochs(const fs::path& run) {
  std::vector<uint64_t> epochs;
  for (const Found& file : find_checkpoints(run))
    if (file.batches == 0 && (epochs.empty() || epochs.back() != file.epoch)) epochs.push_back(file.epoch);
  return epochs;
}

fs::path checkpoint_file(const fs::path& path, std::optional<uint64_t> epoch) {
  if (!fs::exists(path))
    throw data_error(
        fmt::format("{} does not exist; give a run directory or a checkpoint (.pt)", printable(path)));
  if (!fs::is_directory(path)) {
    if (epoch)
      throw usage_error(
          fmt::format("{} is one checkpoint; an epoch can be chosen of a run directory", printable(path)));
    return path;
  }
  std::vector<Found> found = find_checkpoints(path);
  if (epoch)
    std::erase_if(found, [&](const Found& file) { return file.epoch != *epoch || file.batches != 0; });
  if (!found.empty()) return found.back().path;
  if (epoch)
    throw data_error(fmt::format("{} holds no checkpoint of epoch {}; there are: {}", printable(path), *epoch,
                                 epoch_list(saved_epochs(path))));
  throw data_error(
      fmt::format("{} holds no checkpoint; give a run directory or a .pt file", printable(path)));
}

std::string run_name(const fs::path& path) {
  const fs::path full = fs::canonical(path);
  return printable(fs::is_directory(full) ? full.filename() : full.stem());
}

fs::path full_beside(const fs::path& slim) {
  const std::string name = slim.filename().string();
  constexpr std::string_view kSlim = "slim_";
  return name.starts_with(kSlim) ? slim.parent_path() / name.substr(kSlim.size()) : fs::path();
}

}  // namespace nowhere
