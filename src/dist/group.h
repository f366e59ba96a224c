// The processes that train one run together, on c10d: a TCPStore through which they meet, and a process group
// for tensors. All of them call the same functions in the same order.
#pragma once

#include <torch/torch.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launch/world.h"

namespace c10d {
class ProcessGroup;
}

namespace nowhere {

struct GroupOptions {
  std::chrono::milliseconds timeout{600'000};  // for others to come, and for every collective
  bool statistics = false;                     // whether batch norm is to see the batches of all ranks
};

enum class Reduction { kSum, kMin, kMax };

class Group {
 public:
  // Waits for all ranks. Throws an error that names those that did not come. The device decides on the
  // backend: NCCL for CUDA, HCCL for HPU, Gloo for the CPU.
  Group(const World& world, const torch::Device& device, GroupOptions options);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int rank() const { return world_.rank; }
  int size() const { return world_.size; }
  bool is_main() const { return world_.is_main(); }
  std::string name_of(int rank) const;  // "rank 1 (host node7, process 4242)"

  // The texts of all ranks by rank. A name is used once.
  std::vector<std::string> gather(const std::string& name, const std::string& text);

  // Rank 0's values for all; the tensors are on the device or on the CPU. `what` is named when it fails.
  void broadcast(const std::vector<torch::Tensor>& tensors, const std::string& what);
  std::string broadcast(const std::string& text, const std::string& what);
  // Over all ranks, in place. A tensor of the CPU.
  void reduce(torch::Tensor& numbers, Reduction reduction, const std::string& what);
  // Over all ranks, on the device; gradients flow through it, those of gradients too.
  torch::Tensor sum_statistics(const torch::Tensor& values);

  // Runs a piece of work in which ranks depend on each other. When it fails because one of them is gone, the
  // error names it, its host and `what`.
  void guard(const std::string& what, const std::function<void()>& work);

  // Leaves a word for the others on why this rank ends: their errors quote it.
  void leave(const std::string& reason) noexcept;

  const c10::intrusive_ptr<c10d::ProcessGroup>& gradients() const;

 private:
  struct Parts;

  void meet();
  std::string names_of(const std::vector<int>& ranks) const;
  std::string find_cause() const;

  const World world_;
  const torch::Device device_;
  const GroupOptions options_;
  std::vector<std::string> members_;  // their hosts and processes
  std::unique_ptr<Parts> parts_;
};

}  // namespace nowhere
