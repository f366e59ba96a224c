// Gradients as the mean over all ranks: c10d's reducer, the engine of PyTorch's DistributedDataParallel. It
// gathers them in buckets, and sends a full one while the backward pass goes on.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>

#include "dist/choices.h"
#include "dist/group.h"

namespace nowhere {

struct ReducerOptions {
  double bucket_mb = 25;
  GradientCompression compression = GradientCompression::kNone;
};

class GradientReducer {
 public:
  // Of the parameters of a network, which is called `name` in messages. The group outlives it.
  GradientReducer(Group& group, const torch::nn::Module& network, std::string name, ReducerOptions options);
  ~GradientReducer();

  // The backward pass of `loss`, a scalar. Afterwards every parameter's gradient is the mean of those of all
  // ranks; a parameter that the loss of no rank depends on has the one it had before. Gradients of other
  // networks are left alone.
  void backward(const torch::Tensor& loss);

 private:
  class Engine;

  Group& group_;
  std::string name_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace nowhere
