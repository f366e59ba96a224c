// The libraries below a process group. Free of their headers, which few files can afford.
#pragma once

#include <torch/torch.h>

#include <chrono>
#include <string>

namespace c10d {
class Backend;
class ProcessGroup;
class Store;
}  // namespace c10d

namespace nowhere {

struct BackendPlace {
  c10::intrusive_ptr<c10d::Store> store;
  int rank = 0, size = 1;
  std::chrono::milliseconds timeout{};
  std::string address;  // of this machine, where the others reach it; for Gloo
};

// Gloo on CPU tensors, NCCL on CUDA's, HCCL on HPU's. Throws a usage error where this build or machine lacks
// the library, and says what to install.
c10::intrusive_ptr<c10d::ProcessGroup> make_process_group(const torch::Device& device,
                                                          const BackendPlace& place);

// The address of this machine from which the store is reached, and where other machines reach this one:
// never a loopback address when there are `others`. The interface that GLOO_SOCKET_IFNAME names comes first.
std::string own_address(const std::string& store_host, uint16_t port, bool others);

}  // namespace nowhere
