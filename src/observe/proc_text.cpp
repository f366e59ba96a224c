#include "observe/proc_text.h"

#include <algorithm>
#include <charconv>
#include <string>

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

std::optional<uint64_t> proc_field(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    if (!line.starts_with(':') && !line.starts_with(' ')) continue;  // a longer name
    line.remove_prefix(1);
    const auto number = take_number(line);
    if (!number) return {};
    return skip_blanks(line).starts_with("kB") ? *number * 1024 : *number;
  }
  return {};
}

std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat) {
  if (!proc_stat.starts_with("cpu ")) return {};
  proc_stat.remove_prefix(4);
  // user nice system idle iowait irq softirq steal; guest time, which follows, is part of user and nice already.
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

std::optional<uint64_t> cgroup_memory_left(std::string_view limit, std::string_view used,
                                           uint64_t inactive_file) {
  // "max" (version 2) or a number near 2^63 (version 1) stand for no limit.
  const auto most = take_number(limit);
  const auto have = take_number(used);
  if (!most || !have || *most >= uint64_t{1} << 60) return {};
  const uint64_t held = *have - std::min(*have, inactive_file);
  return *most - std::min(*most, held);
}

}  // namespace nowhere
