// One rank of a group of GPUs: nccl_rank RANK SIZE PORT. Adds up 1 to SIZE, one number from each rank, and
// prints the sum. Exit code 77 without as many GPUs.
#include <fmt/core.h>

#include <cstdlib>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "device/device.h"

namespace {

constexpr int kSkipped = 77;

}  // namespace

int main(int count, char** words) {
  using namespace nowhere;
  if (count != 4) return fmt::print(stderr, "nccl_rank RANK SIZE PORT\n"), 2;
  const int rank = std::atoi(words[1]), size = std::atoi(words[2]), port = std::atoi(words[3]);
  if (const int there_are = visible_devices(DeviceChoice::kCuda); there_are < size) {
    fmt::print("{} of {} GPUs are there: skipped\n", there_are, size);
    return kSkipped;
  }
  const torch::Device device = open_device(DeviceChoice::kCuda, rank);
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(port);
  options.isServer = rank == 0;
  const auto store = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
  const auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size);
  std::vector<at::Tensor> numbers = {torch::full({3}, rank + 1.0, torch::TensorOptions(device))};
  group->allreduce(numbers)->wait();
  fmt::print("{} of rank {} on {}\n", numbers[0][2].item<double>(), rank, name_of(device));
  return 0;
}
