// What LibTorch and this machine offer, for `nowhere doctor`. No torch header reaches who includes this.
#pragma once

#include <string>
#include <vector>

namespace nowhere {

std::string libtorch_version();

// Of this machine's CPU, those that matter to training.
std::vector<std::string> cpu_features();

struct DeviceReport {
  std::string libtorch;
  std::string onednn;                     // its version, or why there is none
  std::string cpu;                        // the model's name
  std::string cpu_capability;             // the instruction set that LibTorch's kernels use
  std::vector<std::string> cpu_features;  // those that matter to training
  bool built_with_cuda = false;
  int cuda_devices = 0;
  bool habana = false;       // its plugin is loaded
  std::string habana_fault;  // why a plugin that is there cannot be used
  int habana_devices = 0;    // that the driver shows
};

// Loads the plugin of Habana where there is one.
DeviceReport report_devices();

}  // namespace nowhere
