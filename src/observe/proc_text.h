// What Linux says about this process and the machine, read out of the texts below /proc and /sys/fs/cgroup.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nowhere {

// The number behind "name:" (or "name ") at the start of a line, in bytes where the text says kB: the lines of
// /proc/self/status, /proc/self/io, /proc/meminfo and memory.stat.
std::optional<uint64_t> proc_field(std::string_view text, std::string_view name);

// Clock ticks of all cores together, since the machine started.
struct CpuTicks {
  uint64_t busy = 0;
  uint64_t total = 0;
};
std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat);
// How much of the time between two readings was busy, 0 to 1.
double busy_share(const CpuTicks& before, const CpuTicks& after);

// What a control group's limit leaves, page cache that can be dropped counted as free. Nothing without a limit.
std::optional<uint64_t> cgroup_memory_left(std::string_view limit, std::string_view used,
                                           uint64_t inactive_file);

}  // namespace nowhere
