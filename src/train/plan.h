// What a run will need, before it begins.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <string>

#include "device/device.h"
#include "train/config.h"

namespace nowhere {

struct Plan {
  int64_t generator_parameters = 0, discriminator_parameters = 0;
  uint64_t memory_bytes = 0;      // weights, gradients, moments, activations of a batch, batches held ready
  uint64_t checkpoint_bytes = 0;  // the last one on the disk
  double images_per_second = 0;   // 0 when not measured
};

// Seconds of a step on average, when one of `every` has a penalty.
double mean_step_seconds(double plain, double penalised, int every);

// Counts; with `measure` also does a few small steps to see how fast they are.
Plan make_plan(const TrainConfig& config, const torch::Device& device, Precision precision, bool measure);

}  // namespace nowhere
