// How much faster several devices are than one. The same model as bench/scaling.py, for the devices of one
// machine.
#pragma once

#include "plan/instance_table.h"
#include "plan/workload.h"

namespace nowhere {

// All-reduce of so many bytes over one ring.
double ring_seconds(double bytes, int devices, const LinkSpeed& link);

// Speed over that of as many devices which do not wait for each other, where one alone computes for
// `compute_seconds` a step. Gradients travel in buckets while the backward pass goes on; an update waits for
// what that does not hide.
double scaling_efficiency(const Workload& work, double compute_seconds, int devices, const LinkSpeed& link);

}  // namespace nowhere
