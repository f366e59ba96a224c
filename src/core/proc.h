// What Linux tells about this process and the machine in the text files below /proc and /sys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowhere {

// The text of such a file, which has no size and is read to its end. Empty when there is none.
std::string read_proc_file(const char* path);

// The rest of the first line "name: rest", "name : rest" or "name rest": the lines of /proc/cpuinfo,
// /proc/meminfo, /proc/self/status, /proc/self/io and memory.stat. It refers to `text`.
std::optional<std::string_view> proc_text(std::string_view text, std::string_view name);
// The number that it starts with, in bytes where the line says kB.
std::optional<uint64_t> proc_number(std::string_view text, std::string_view name);

// The words of this process's command line, its own name first.
std::vector<std::string> own_command_line();

struct ProcessMemory {
  uint64_t resident = 0;  // bytes
  uint64_t peak = 0;      // bytes: the most that was ever resident
};
// Of this process; zeros where the system does not tell.
ProcessMemory process_memory();

// Clock ticks of all cores together, since the machine started.
struct CpuTicks {
  uint64_t busy = 0;
  uint64_t total = 0;
};
std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat);
// How much of the time between two readings was busy, 0 to 1.
double busy_share(const CpuTicks& before, const CpuTicks& after);

// A block device by its numbers, as stat and sysfs have them.
struct DeviceNumber {
  unsigned major = 0, minor = 0;
  bool operator==(const DeviceNumber&) const = default;
};
// "8:0", the text of a device's file `dev`.
std::optional<DeviceNumber> parse_device_number(std::string_view text);

// Of a block device, since the machine started.
struct DiskCounters {
  uint64_t read_bytes = 0;
  uint64_t busy_ms = 0;  // the time in which a request was under way
};
// Nothing where the text of /proc/diskstats has no line for the device, or not all of its columns.
std::optional<DiskCounters> parse_disk_counters(std::string_view proc_diskstats, DeviceNumber device);

// What a control group's memory limit leaves, in bytes, page cache that can be dropped counted as free.
// Nothing without a limit.
std::optional<uint64_t> cgroup_memory_left(std::string_view limit, std::string_view used,
                                           uint64_t inactive_file);

// A control group's CPU quota in cores, of the text "quota period" in microseconds. Nothing without a quota.
std::optional<double> cgroup_cpu_quota(std::string_view quota_and_period);

}  // namespace nowhere
