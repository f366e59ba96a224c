#include "serve/run_curves.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <utility>

#include "core/descriptor.h"

namespace nowhere {
namespace {

namespace json = boost::json;

constexpr std::array<const char*, 6> kNames = {"images", "D_loss", "G_loss",
                                               "D_X",    "D_G_z1", "images_per_second"};
constexpr size_t kMaxPoints = 400;      // in a response
constexpr size_t kMaxKept = 2000;       // then every second one is dropped
constexpr size_t kReadBytes = 1 << 20;  // at a time; no line of ours is longer
constexpr int kRecentSeconds = 60;

json::value number_or_null(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

}  // namespace

bool is_locked(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return false;
  // "1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF"
  const std::string identity =
      fmt::format(" {:02x}:{:02x}:{} ", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);)
    if (line.find(" FLOCK ") != std::string::npos && line.find(" WRITE ") != std::string::npos &&
        line.find(identity) != std::string::npos && line.find("->") == std::string::npos)
      return true;
  return false;
}

std::string RunCurves::json() {
  if (run_.empty()) return R"({"training":false,"points":[]})";
  const std::lock_guard lock(mutex_);
  const Descriptor file(::open((run_ / "stats.jsonl").c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    forget();
  } else {
    // A run that resumes from an earlier checkpoint writes a new file.
    const bool same = status.st_dev == device_ && status.st_ino == inode_ && status.st_size >= read_;
    if (!same) forget();
    device_ = status.st_dev;
    inode_ = status.st_ino;
    if (status.st_size > read_) {
      read_new(file.number(), status.st_size);
      json_ = points_json();
      machine_json_ = machine_.json();
    }
  }
  const bool recent = file.is_open() && std::time(nullptr) - status.st_mtime < kRecentSeconds;
  const bool training = recent || is_locked(run_ / "lock");
  const std::string machine = machine_json_.empty() ? "" : ",\"machine\":" + machine_json_;
  return fmt::format(R"({{"training":{},"points":{}{}}})", training, json_, machine);
}

void RunCurves::forget() {
  read_ = 0;
  begun_.clear();
  seen_ = 0;
  stride_ = 1;
  points_.clear();
  newest_.clear();
  json_ = "[]";
  machine_.forget();
  machine_json_.clear();
}

void RunCurves::read_new(int file, int64_t size) {
  std::vector<char> buffer(kReadBytes);
  while (read_ < size) {
    const ssize_t got = ::pread(file, buffer.data(), buffer.size(), read_);
    if (got <= 0) return;
    read_ += got;
    begun_.append(buffer.data(), static_cast<size_t>(got));
    const size_t end = begun_.rfind('\n');
    if (end != std::string::npos) {
      add_lines(std::string_view(begun_).substr(0, end));
      begun_.erase(0, end + 1);
    } else if (begun_.size() > kReadBytes) {
      begun_.clear();
    }
  }
}

void RunCurves::add_lines(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    json::error_code error;
    const json::value value = json::parse(json::string_view(line.data(), line.size()), error);
    if (error || !value.is_object()) continue;
    Point point;
    for (const char* name : kNames) {
      const json::value* member = value.get_object().if_contains(name);
      const bool number = member != nullptr && member->is_number();
      point.push_back(number ? member->to_number<double>() : std::numeric_limits<double>::quiet_NaN());
    }
    // Lines at the ends of epochs hold other statistics.
    if (!std::isfinite(point[0]) || !value.get_object().contains("D_loss")) continue;
    add(std::move(point));
    machine_.add(value.get_object());
  }
}

void RunCurves::add(Point point) {
  newest_ = point;
  if (seen_++ % stride_ == 0) points_.push_back(std::move(point));
  if (points_.size() < kMaxKept) return;
  std::vector<Point> kept;
  for (size_t i = 0; i < points_.size(); i += 2) kept.push_back(std::move(points_[i]));
  points_ = std::move(kept);
  stride_ *= 2;
}

std::string RunCurves::points_json() const {
  if (newest_.empty()) return "[]";
  std::vector<Point> shown;
  const size_t step = (points_.size() + kMaxPoints - 2) / (kMaxPoints - 1);
  for (size_t i = 0; i < points_.size(); i += step) shown.push_back(points_[i]);
  if (shown.back()[0] != newest_[0]) shown.push_back(newest_);
  json::array array;
  for (const Point& point : shown) {
    json::object object;
    for (size_t i = 0; i < kNames.size(); ++i) object[kNames[i]] = number_or_null(point[i]);
    object["images"] = static_cast<int64_t>(point[0]);
    array.push_back(std::move(object));
  }
  return json::serialize(array);
}

}  // namespace nowhere
