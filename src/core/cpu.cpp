#include "core/cpu.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace nowhere {
namespace {

// The CPU quota of a container (control groups v2, then v1), in cores; 0 when there is none.
double quota_cores() {
  std::string quota;
  double period = 0;
  if (std::ifstream v2("/sys/fs/cgroup/cpu.max"); v2 >> quota >> period)
    return quota == "max" || period <= 0 ? 0 : std::atof(quota.c_str()) / period;
  double quota_us = 0;
  if (std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota_us && quota_us > 0 &&
      std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period && period > 0)
    return quota_us / period;
  return 0;
}

}  // namespace

int available_cores() {
  int cores = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) cores = CPU_COUNT(&allowed);
  if (const double quota = quota_cores(); quota > 0)
    cores = std::min(cores, static_cast<int>(std::ceil(quota)));
  return std::max(cores, 1);
}

}  // namespace nowhere
