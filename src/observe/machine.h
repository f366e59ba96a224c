// How this process uses the machine, for the figures of a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/proc.h"
#include "observe/accelerator.h"
#include "observe/disk.h"
#include "observe/habana.h"
#include "observe/nvml.h"

namespace nowhere {

struct MachineFigures {
  double cpu_share = 0;          // 0 to 1: by this process, of the cores granted to it, since the last sample
  double machine_cpu_share = 0;  // 0 to 1: by all processes, of all cores, since the last sample
  uint64_t memory_bytes = 0;     // resident
  uint64_t peak_memory_bytes = 0;
  uint64_t memory_available = 0;  // of the machine, or what is left of a container's limit
  // From the disk that holds the data, by all processes; where there is none to ask, from any disk by this
  // process. What comes from the page cache does not count.
  std::optional<double> disk_read_bytes_per_second;
  std::optional<double> disk_busy_share;  // 0 to 1: how much of the time that disk had something to do
  std::vector<Accelerator> accelerators;
};

// Where accelerators are looked for.
struct AcceleratorSources {
  std::string nvml_library = "libnvidia-ml.so.1";
  std::string habana_tool = "hl-smi";
};

// Used by one thread. Figures that the system does not give are 0 or absent.
class MachineMonitor {
 public:
  // `data`: what is read from; its disk is watched.
  explicit MachineMonitor(const AcceleratorSources& sources = {}, const std::filesystem::path& data = {});

  // Rates are over the time since the last call, the first since construction. Reads a few files of /proc and
  // asks the driver: a few milliseconds at most.
  MachineFigures sample();

 private:
  using Clock = std::chrono::steady_clock;
  struct Reading {
    Clock::time_point time;
    double process_seconds = 0;  // of CPU
    std::optional<CpuTicks> machine;
    std::optional<DiskCounters> disk;
    std::optional<uint64_t> process_read;  // bytes
  };
  Reading read() const;

  Nvml nvml_;
  HabanaMonitor habana_;
  int cores_;
  std::optional<Disk> disk_;
  Reading last_;
};

}  // namespace nowhere
