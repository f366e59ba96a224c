#include "serve/machine_view.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace nowhere {
namespace {

namespace json = boost::json;

constexpr size_t kMaxMachinePoints = 240;
constexpr double kPause = 900;         // seconds without a log point: the run was stopped meanwhile
constexpr size_t kMaxSentence = 1000;  // bytes

std::optional<double> number(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  if (member == nullptr || !member->is_number()) return std::nullopt;
  const auto value = member->to_number<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Four digits, enough for a curve: values are sent every few seconds to everybody who looks.
double rounded(double value) {
  if (value == 0) return 0;
  const double decimals = 3 - std::floor(std::log10(std::abs(value)));
  // A power of ten below one is not exact, and the result would have all its digits.
  const double unit = std::pow(10.0, std::abs(decimals));
  return decimals >= 0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
}

// The training thread's time, as shares.
void add_time(json::object& point, const json::object& line) {
  const json::value* seconds = line.if_contains("seconds");
  if (seconds == nullptr || !seconds->is_object()) return;
  const json::object& split = seconds->get_object();
  double total = 0;
  for (const char* part : {"waiting", "device", "checkpoint", "other"})
    total += number(split, part).value_or(0);
  const auto waiting = number(split, "waiting"), device = number(split, "device");
  if (total <= 0 || !waiting || !device) return;
  point["device_share"] = rounded(*device / total);
  point["waiting_share"] = rounded(*waiting / total);
}

const json::array* accelerators_of(const json::object& line) {
  const json::value* all = line.if_contains("accelerators");
  return all != nullptr && all->is_array() && !all->get_array().empty() ? &all->get_array() : nullptr;
}

// One idle accelerator among many would not show in the mean.
void add_accelerators(json::object& point, const json::array& all) {
  double sum = 0, least = 1;
  for (const json::value& one : all) {
    const auto use = one.is_object() ? number(one.get_object(), "use_share") : std::nullopt;
    if (!use) return;
    sum += *use;
    least = std::min(least, *use);
  }
  point["accelerator_share"] = rounded(sum / static_cast<double>(all.size()));
  if (all.size() > 1) point["idlest_accelerator_share"] = rounded(least);
}

json::array names_of(const json::array& accelerators) {
  json::array names;
  for (const json::value& one : accelerators) {
    const json::value* name = one.is_object() ? one.get_object().if_contains("name") : nullptr;
    names.emplace_back(name != nullptr && name->is_string() ? name->get_string() : json::string());
  }
  return names;
}

}  // namespace

void MachineView::add(const json::object& line) {
  const auto time = number(line, "time");
  if (!time) return;
  if (!points_.empty()) {
    const double passed = *time - points_.back().at("time").as_double();
    if (passed < 0 || passed > kPause) forget();
  }
  json::object point{{"time", *time}};
  for (const char* name : {"images_per_second", "cpu_share", "machine_cpu_share",
                           "disk_read_bytes_per_second", "disk_busy_share"})
    if (const auto value = number(line, name)) point[name] = rounded(*value);
  add_time(point, line);
  const json::array* accelerators = accelerators_of(line);
  if (accelerators != nullptr) {
    add_accelerators(point, *accelerators);
    accelerators_ = names_of(*accelerators);
  }
  points_.push_back(std::move(point));
  if (points_.size() > kMaxMachinePoints) points_.pop_front();
  const json::value* sentence = line.if_contains("bottleneck");
  if (sentence != nullptr && sentence->is_string() && sentence->get_string().size() <= kMaxSentence)
    bottleneck_ = std::string(sentence->get_string());
}

void MachineView::forget() {
  points_.clear();
  accelerators_.clear();
  bottleneck_.clear();
}

std::string MachineView::json() const {
  if (points_.empty()) return "";
  json::object view{{"points", json::array(points_.begin(), points_.end())}};
  if (!accelerators_.empty()) view["accelerators"] = accelerators_;
  if (!bottleneck_.empty()) view["bottleneck"] = bottleneck_;
  return json::serialize(view);
}

}  // namespace nowhere
