#include "observe/stats_log.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/file.h"

namespace nowhere {
namespace {

namespace json = boost::json;

// Calls use(line, object) for every line that is a JSON object.
void for_each_line(std::string_view text, const std::function<void(std::string_view, json::object)>& use) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    json::error_code error;
    json::value value = json::parse(json::string_view(line.data(), line.size()), error);
    if (!error && value.is_object()) use(line, std::move(value.get_object()));
  }
}

bool is_later(const json::object& line, int64_t images) {
  const json::value* seen = line.if_contains("images");
  return seen != nullptr && seen->is_number() && seen->to_number<double>() > static_cast<double>(images);
}

// Keeps the lines that are complete and not later than `images`.
AppendFile open_trimmed(const std::filesystem::path& path, int64_t images) {
  std::error_code ignored;  // opening the file below fails too, with a reason
  if (std::filesystem::exists(path, ignored)) {
    const MappedFile file = MappedFile::open(path).value();
    std::string kept;
    for_each_line(file.text(), [&](std::string_view line, const json::object& object) {
      if (!is_later(object, images)) (kept += line) += '\n';
    });
    if (kept != file.text()) write_file(path, kept, true);
  }
  return AppendFile::open(path, AppendFile::Open::kNewOrExisting).value();
}

json::value with_nulls(const json::value& value) {
  if (const double* number = value.if_double(); number != nullptr && !std::isfinite(*number)) return nullptr;
  if (const json::object* object = value.if_object()) {
    json::object copy;
    for (const auto& [name, member] : *object) copy.emplace(name, with_nulls(member));
    return copy;
  }
  if (const json::array* array = value.if_array()) {
    json::array copy;
    for (const json::value& element : *array) copy.push_back(with_nulls(element));
    return copy;
  }
  return value;
}

}  // namespace

StatsLog::StatsLog(const std::filesystem::path& path, int64_t keep_up_to_images)
    : file_(open_trimmed(path, keep_up_to_images)) {}

void StatsLog::append(const json::object& line) {
  file_.append(json::serialize(with_nulls(line)) + '\n');
}

std::vector<json::object> read_stats(const std::filesystem::path& path) {
  std::vector<json::object> lines;
  for_each_stat(path, [&](const json::object& line) { lines.push_back(line); });
  return lines;
}

void for_each_stat(const std::filesystem::path& path, const std::function<void(const json::object&)>& use) {
  const MappedFile file = MappedFile::open(path).value();
  for_each_line(file.text(), [&](std::string_view, const json::object& object) { use(object); });
}

}  // namespace nowhere
