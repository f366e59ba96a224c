#include "observe/machine.h"

#include <time.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/cpu.h"

namespace nowhere {
namespace {

double process_cpu_seconds() {
  timespec time{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::optional<uint64_t> container_memory_left() {
  const std::string limit = read_proc_file("/sys/fs/cgroup/memory.max");
  if (!limit.empty())
    return cgroup_memory_left(
        limit, read_proc_file("/sys/fs/cgroup/memory.current"),
        proc_number(read_proc_file("/sys/fs/cgroup/memory.stat"), "inactive_file").value_or(0));
  return cgroup_memory_left(
      read_proc_file("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
      read_proc_file("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
      proc_number(read_proc_file("/sys/fs/cgroup/memory/memory.stat"), "total_inactive_file").value_or(0));
}

uint64_t available_memory() {
  const auto machine = proc_number(read_proc_file("/proc/meminfo"), "MemAvailable");
  const auto container = container_memory_left();
  if (machine && container) return std::min(*machine, *container);
  return machine.value_or(container.value_or(0));
}

// Counters start anew when a disk is plugged in again, and the one of busy time overflows after weeks.
std::optional<double> rate(std::optional<uint64_t> before, std::optional<uint64_t> now, double seconds) {
  if (!before || !now || *now < *before) return {};
  return static_cast<double>(*now - *before) / seconds;
}

}  // namespace

MachineMonitor::MachineMonitor(const AcceleratorSources& sources, const std::filesystem::path& data)
    : nvml_(sources.nvml_library),
      habana_(sources.habana_tool),
      cores_(available_cores()),
      disk_(Disk::of(data)),
      last_(read()) {}

MachineFigures MachineMonitor::sample() {
  const Reading now = read();
  const Reading before = std::exchange(last_, now);
  const double seconds = std::chrono::duration<double>(now.time - before.time).count();

  MachineFigures figures;
  if (seconds > 0) {
    figures.cpu_share =
        std::clamp((now.process_seconds - before.process_seconds) / (seconds * cores_), 0.0, 1.0);
    figures.disk_read_bytes_per_second = rate(before.process_read, now.process_read, seconds);
    if (now.disk && before.disk) {
      figures.disk_read_bytes_per_second = rate(before.disk->read_bytes, now.disk->read_bytes, seconds);
      if (const auto busy_ms = rate(before.disk->busy_ms, now.disk->busy_ms, seconds))
        figures.disk_busy_share = std::min(1.0, *busy_ms / 1000);
    }
  }
  if (now.machine && before.machine) figures.machine_cpu_share = busy_share(*before.machine, *now.machine);
  const ProcessMemory memory = process_memory();
  figures.memory_bytes = memory.resident;
  figures.peak_memory_bytes = memory.peak;
  figures.memory_available = available_memory();
  figures.accelerators = nvml_.sample();
  std::ranges::move(habana_.sample(), std::back_inserter(figures.accelerators));
  return figures;
}

MachineMonitor::Reading MachineMonitor::read() const {
  return {.time = Clock::now(),
          .process_seconds = process_cpu_seconds(),
          .machine = parse_cpu_ticks(read_proc_file("/proc/stat")),
          .disk = disk_ ? disk_->counters() : std::nullopt,
          .process_read = proc_number(read_proc_file("/proc/self/io"), "read_bytes")};
}

}  // namespace nowhere
