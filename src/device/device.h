// Where the networks live and how precisely they compute.
#pragma once

#include <torch/torch.h>

#include <string>

#include "device/accelerators.h"
#include "device/choices.h"

namespace nowhere {

// The device that was asked for; with kAuto the first there is of HPU, CUDA, CPU. Where a machine has
// several, the one of the process with this rank among those of the machine. Throws a usage error that says
// what to install when the one asked for is absent. To be called once, before anything else uses an
// accelerator.
torch::Device open_device(DeviceChoice choice, int local_rank = 0);

// After each update: has a lazy device run what was gathered for it. Nothing elsewhere.
void mark_step(const torch::Device& device);

// What kAuto means on this device: bf16 on CUDA devices that have it (fp16 on older ones) and on CPUs whose
// matrix units work, float32 elsewhere. fp16 on a CPU is a usage error.
Precision resolve_precision(Precision precision, const torch::Device& device);

std::string name_of(Precision precision);          // "float32"
std::string name_of(const torch::Device& device);  // "CPU", "cuda:0"

// How many threads LibTorch's operators use; 0 for as many as there are cores.
void set_compute_threads(int threads);

// While it lives, operators inside compute at this precision where that is safe.
class Autocast {
 public:
  Autocast(const torch::Device& device, Precision precision);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  at::DeviceType type_;
  bool active_;
};

}  // namespace nowhere
