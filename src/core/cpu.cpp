#include "core/cpu.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <thread>

#include "core/proc.h"

namespace nowhere {
namespace {

// The CPU quota of a container (control groups version 2, then 1), in cores.
std::optional<double> container_quota() {
  const std::string quota_and_period = read_proc_file("/sys/fs/cgroup/cpu.max");
  if (!quota_and_period.empty()) return cgroup_cpu_quota(quota_and_period);
  return cgroup_cpu_quota(read_proc_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") + " " +
                          read_proc_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us"));
}

}  // namespace

int available_cores() {
  int cores = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) cores = CPU_COUNT(&allowed);
  if (const auto quota = container_quota()) cores = std::min(cores, static_cast<int>(std::ceil(*quota)));
  return std::max(cores, 1);
}

}  // namespace nowhere
