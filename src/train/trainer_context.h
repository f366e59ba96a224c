// What a run is trained with.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/source.h"
#include "device/device.h"
#include "dist/group.h"
#include "observe/metrics.h"
#include "run/run_directory.h"
#include "train/config.h"
#include "train/initial.h"

namespace nowhere {

// All that is referred to outlives the trainer. The run directory is claimed by rank 0; other ranks do not
// touch it.
struct TrainerContext {
  const TrainConfig& config;
  const RunDirectory& run;
  const Source& source;
  const std::vector<uint32_t>& photos;
  torch::Device device;
  Precision precision;
  std::string config_text;  // JSON, saved with every checkpoint
  Metrics& metrics;
  bool minutes_given = false;              // --max-minutes is for this session, not what the run had
  std::optional<InitialNetworks> initial;  // what a new run begins with
  Group* group = nullptr;                  // of the processes that train together; null for one alone
  // Told of each slim checkpoint that is on the disk, on the background thread.
  std::function<void(const std::filesystem::path& slim)> saved = {};
};

}  // namespace nowhere
