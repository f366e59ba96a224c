// What a run will need, before it begins. Free of LibTorch, for the command line.
#pragma once

#include "plan/workload.h"
#include "train/config.h"

namespace nowhere {

// Counted from the descriptions, without building anything: a mistyped width must not ask for all memory.
Workload workload_of(const TrainConfig& config);

// Seconds of a step on average, when one of `every` has a penalty.
double mean_step_seconds(double plain, double penalised, int every);

// Images a second in a few small steps on the device of this number.
double measure_speed(const TrainConfig& config, int device_number = 0);

}  // namespace nowhere
