// Which device each process of a machine takes, and what its processes talk through: decisions alone, about
// accelerators that somebody else has counted.
#pragma once

#include <torch/torch.h>

#include <string>

#include "device/choices.h"

namespace nowhere {

// How many a process could take.
struct Accelerators {
  int hpu = 0;
  int cuda = 0;
};

// The kind that is meant; with kAuto the first there is of HPU, CUDA, CPU.
torch::DeviceType device_type(DeviceChoice choice, const Accelerators& there_are);

// How many processes of one machine can have such a device for themselves; 0 on the CPU, which they share.
int device_count(DeviceChoice choice, const Accelerators& there_are);

// The device of the process with this rank among those of its machine; where only one is to be seen, that
// one. Throws a usage error when there are several, and fewer than processes.
torch::Device assign_device(DeviceChoice choice, const Accelerators& there_are, int local_rank);

// By c10d's names: "nccl", "hccl" or "gloo".
std::string collective_backend(const torch::Device& device);

// What kAuto means: yes on a CPU, where oneDNN and our kernels want it, and on CUDA, whose tensor cores do.
// No on an HPU: its compiler lays tensors out as it likes, and a layout from outside is one more copy.
bool resolve_channels_last(ChannelsLast choice, const torch::Device& device);

}  // namespace nowhere
