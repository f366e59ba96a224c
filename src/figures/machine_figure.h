// What the machine did during a run: figures/machine.png.
#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "observe/time_split.h"
#include "plot/plot.h"

namespace nowhere {

// The time between two log points, and what was measured over it. Shares are 0 to 1.
struct MachineInterval {
  TimeSplit time;
  std::optional<double> images_per_second, cpu_share, machine_cpu_share;
  std::optional<double> disk_read_bytes_per_second, disk_busy_share;
  std::vector<double> accelerator_use_shares;
};

struct MachineHistory {
  std::vector<MachineInterval> intervals;
  std::vector<std::string> accelerators;  // their names
};

// From the lines of stats.jsonl that are log points. Throws when the file cannot be read.
MachineHistory read_machine_history(const std::filesystem::path& stats);

// One panel for each figure, over the time spent training: whatever lay between a stop and a resume is left
// out. Figures that nobody measured have no panel. Below the last stands what limits the run; `config` is the
// run's config.json, which says where the data come from and what computes.
std::vector<Plot> machine_plots(const MachineHistory& history, const boost::json::object& config);

}  // namespace nowhere
