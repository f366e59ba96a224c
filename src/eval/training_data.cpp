#include "eval/training_data.h"

#include <fmt/core.h>

#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/signals.h"
#include "data/data_files.h"
#include "data/filter.h"
#include "data/selection_digest.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

std::string setting(const boost::json::object& settings, const char* key) {
  const auto* value = settings.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

// The last part of the data's path, for people: where they lie is nobody's business.
std::string name_of_data(const boost::json::object& settings) {
  const fs::path path = fs::path(setting(settings, "dataroot")).lexically_normal();
  return printable(path.has_filename() ? path.filename() : path.parent_path().filename());
}

// `path` without `ending`; nothing where it does not end so.
std::optional<fs::path> without_ending(fs::path path, const fs::path& ending) {
  for (fs::path rest = ending; !rest.empty(); rest = rest.parent_path()) {
    if (rest.filename() != path.filename() || rest.filename() == "..") return std::nullopt;
    path = path.parent_path();
  }
  return path;
}

// Where the data lie. The folder of a run is root/name below the folder in which it was started: programs
// before this one saved the paths as they were given.
std::optional<fs::path> locate(const boost::json::object& settings, const fs::path& run_folder) {
  const fs::path data = setting(settings, "dataroot"), root = setting(settings, "root");
  if (data.is_absolute()) return data;
  if (root.is_absolute()) return std::nullopt;
  const std::string name = setting(settings, "name");
  if (name.empty()) return std::nullopt;
  const fs::path below = (root / name).lexically_normal();
  fs::path folder = fs::absolute(run_folder / "x").lexically_normal().parent_path();
  const auto start = without_ending(std::move(folder), below);
  return start ? std::optional(*start / data) : std::nullopt;
}

// The photographs that the run's filters leave. Near-duplicates are not looked for, which would mean to read
// every picture: what was dropped for being like another counts as trained on.
struct PhotosOfRun {
  std::vector<uint32_t> photos;
  bool exactly = true;  // those that took part, and no others
};

PhotosOfRun photos_of_run(const Source& source, const boost::json::object& settings) {
  FilterConfig filters;
  Options options;
  filters.declare(options);
  boost::json::object wanted;
  for (const auto& [key, standard] : options.to_json())
    if (const auto* value = settings.if_contains(key)) wanted[key] = *value;
  options.from_json(wanted, "config.json");
  const bool dedup = filters.dedup;
  if (dedup) filters.limit = 0;  // it drew from what was left then
  filters.dedup = false;
  Selection selection = select_photos(
      source, filters, 1, [](int64_t, int64_t) {}, stop_requested);
  return {std::move(selection.photos), !dedup};
}

}  // namespace

TrainingData find_training_data(const RunReader& run, const fs::path& run_folder, const fs::path& data,
                                const Source& judged) {
  TrainingData found;
  const auto settings = run.config();
  if (!settings || setting(*settings, "dataroot").empty()) {
    found.unknown = "the run does not say what it was trained on";
    return found;
  }
  const std::string name = name_of_data(*settings);
  const auto path = locate(*settings, run_folder);
  if (!path || !data_exists(*path)) {
    found.unknown = fmt::format("its training data, {}, cannot be found", name);
    return found;
  }
  try {
    if (!same_data(*path, data)) found.opened = open_source(*path, stop_requested);
    const Source& source = found.opened ? *found.opened : judged;
    PhotosOfRun there_now = photos_of_run(source, *settings);
    const auto digest = there_now.exactly ? run.data_digest() : std::nullopt;
    if (digest && *digest != selection_digest(source.photos(), there_now.photos)) {
      found.unknown = fmt::format("its training data, {}, are not the photographs that they were then", name);
      return found;
    }
    found.photos = std::move(there_now.photos);
    found.source = &source;
  } catch (const Error&) {
    found.unknown = fmt::format("its training data, {}, cannot be read as they were then", name);
  }
  return found;
}

}  // namespace nowhere
