#include "device/assignment.h"

#include <fmt/core.h>

#include "core/error.h"

namespace nowhere {

torch::DeviceType device_type(DeviceChoice choice, const Accelerators& there_are) {
  switch (choice) {
    case DeviceChoice::kHpu:
      return torch::kHPU;
    case DeviceChoice::kCuda:
      return torch::kCUDA;
    case DeviceChoice::kCpu:
      return torch::kCPU;
    case DeviceChoice::kAuto:
      break;
  }
  return there_are.hpu > 0 ? torch::kHPU : there_are.cuda > 0 ? torch::kCUDA : torch::kCPU;
}

int device_count(DeviceChoice choice, const Accelerators& there_are) {
  const torch::DeviceType type = device_type(choice, there_are);
  return type == torch::kHPU ? there_are.hpu : type == torch::kCUDA ? there_are.cuda : 0;
}

torch::Device assign_device(DeviceChoice choice, const Accelerators& there_are, int local_rank) {
  const torch::DeviceType type = device_type(choice, there_are);
  if (type == torch::kCPU) return torch::Device(type);
  const int count = device_count(choice, there_are);
  // Schedulers may show each process one device, its own.
  if (count > 1 && local_rank >= count)
    throw usage_error(fmt::format(
        "local rank {} has no {} for itself, because this machine shows {}; start one process for each",
        local_rank, type == torch::kHPU ? "HPU" : "GPU", count));
  // A process sees the one HPU that it took, and calls it 0; which one that is, HLS_MODULE_ID says.
  const bool only = count == 1 || type == torch::kHPU;
  return torch::Device(type, static_cast<torch::DeviceIndex>(only ? 0 : local_rank));
}

std::string collective_backend(const torch::Device& device) {
  return device.is_cuda() ? "nccl" : device.is_hpu() ? "hccl" : "gloo";
}

bool resolve_channels_last(ChannelsLast choice, const torch::Device& device) {
  return choice == ChannelsLast::kAuto ? !device.is_hpu() : choice == ChannelsLast::kYes;
}

}  // namespace nowhere
