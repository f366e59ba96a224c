// How fast the training step is on this machine. Free of LibTorch, for the command line.
#pragma once

#include <cstdint>

#include "train/config.h"

namespace nowhere {

struct StepBench {
  double images_per_second = 0;
  uint64_t peak_bytes = 0, bytes_at_start = 0;  // of the process; the second before the networks are made
};

// Steps on one random batch for so long, after three to warm up.
StepBench bench_step(const TrainConfig& config, double seconds);

}  // namespace nowhere
