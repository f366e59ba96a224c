// Batch norm whose statistics may be those of several processes.
#pragma once

#include <torch/torch.h>

#include <functional>

namespace nowhere {

// Values -> their sums over all processes. Gradients flow through it.
using SumOverProcesses = std::function<torch::Tensor(const torch::Tensor& values)>;

class JointBatchNormImpl : public torch::nn::BatchNorm2dImpl {
 public:
  using BatchNorm2dImpl::BatchNorm2dImpl;

  // [N,C,H,W] -> the same
  torch::Tensor forward(const torch::Tensor& maps);
  void sum_over(SumOverProcesses sum) { sum_ = std::move(sum); }
  bool is_joint() const { return sum_ != nullptr; }

 private:
  SumOverProcesses sum_;  // none: the statistics are those of the batch
};
TORCH_MODULE(JointBatchNorm);

// From here on the network's batch norms measure mean and variance over the batches of all processes.
void sum_batch_statistics(torch::nn::Module& network, const SumOverProcesses& sum);

}  // namespace nowhere
