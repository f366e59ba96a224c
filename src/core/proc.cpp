#include "core/proc.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>

namespace nowhere {
namespace {

constexpr std::string_view kBlanks = " \t\n";

std::string_view skip_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

// Takes a number off the front of `text`.
std::optional<uint64_t> take_number(std::string_view& text) {
  text = skip_blanks(text);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string read_proc_file(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::string_view> proc_text(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    const std::string_view rest = skip_blanks(line);
    if (rest.starts_with(':')) return skip_blanks(rest.substr(1));
    if (rest.size() < line.size()) return rest;
  }
  return {};
}

std::optional<uint64_t> proc_number(std::string_view text, std::string_view name) {
  auto rest = proc_text(text, name);
  if (!rest) return {};
  const auto number = take_number(*rest);
  if (!number) return {};
  return skip_blanks(*rest).starts_with("kB") ? *number * 1024 : *number;
}

std::vector<std::string> own_command_line() {
  const std::string text = read_proc_file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\0', begin), text.size());  // a word may be empty
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

ProcessMemory process_memory() {
  const std::string status = read_proc_file("/proc/self/status");
  return {.resident = proc_number(status, "VmRSS").value_or(0),
          .peak = proc_number(status, "VmHWM").value_or(0)};
}

std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat) {
  if (!proc_stat.starts_with("cpu ")) return {};
  proc_stat.remove_prefix(4);
  // user nice system idle iowait irq softirq steal; guest time, which follows, is part of user and nice
  // already.
  CpuTicks ticks;
  for (int column = 0; column < 8; ++column) {
    const auto number = take_number(proc_stat);
    if (!number) return {};
    const bool idle = column == 3 || column == 4;
    ticks.total += *number;
    if (!idle) ticks.busy += *number;
  }
  return ticks;
}

double busy_share(const CpuTicks& before, const CpuTicks& after) {
  // The kernel's counters may step back a little.
  if (after.total <= before.total || after.busy < before.busy) return 0;
  return std::min(
      1.0, static_cast<double>(after.busy - before.busy) / static_cast<double>(after.total - before.total));
}

std::optional<DeviceNumber> parse_device_number(std::string_view text) {
  const auto major = take_number(text);
  if (!major || !text.starts_with(':')) return {};
  text.remove_prefix(1);
  const auto minor = take_number(text);
  if (!minor) return {};
  return DeviceNumber{static_cast<unsigned>(*major), static_cast<unsigned>(*minor)};
}

std::optional<DiskCounters> parse_disk_counters(std::string_view text, DeviceNumber device) {
  constexpr uint64_t kSector = 512;  // in this file, whatever the disk's own
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (take_number(line) != device.major || take_number(line) != device.minor) continue;
    line = skip_blanks(line);
    line.remove_prefix(std::min(line.find_first_of(kBlanks), line.size()));  // the name
    // Reads: requests, merged, sectors, ms; writes: the same; requests under way; ms with any under way.
    std::array<uint64_t, 10> columns{};
    for (uint64_t& column : columns) {
      const auto number = take_number(line);
      if (!number) return {};
      column = *number;
    }
    return DiskCounters{.read_bytes = columns[2] * kSector, .busy_ms = columns[9]};
  }
  return {};
}

std::optional<uint64_t> cgroup_memory_left(std::string_view limit, std::string_view used,
                                           uint64_t inactive_file) {
  // "max" (version 2) or a number near 2^63 (version 1) mean no limit.
  const auto limit_bytes = take_number(limit);
  const auto used_bytes = take_number(used);
  if (!limit_bytes || !used_bytes || *limit_bytes >= uint64_t{1} << 60) return {};
  const uint64_t held = *used_bytes - std::min(*used_bytes, inactive_file);
  return *limit_bytes - std::min(*limit_bytes, held);
}

std::optional<double> cgroup_cpu_quota(std::string_view quota_and_period) {
  // "max" (version 2) or -1 (version 1) mean no quota.
  const auto quota_us = take_number(quota_and_period);
  const auto period_us = take_number(quota_and_period);
  if (!quota_us || !period_us || *quota_us == 0 || *period_us == 0) return {};
  return static_cast<double>(*quota_us) / static_cast<double>(*period_us);
}

}  // namespace nowhere
