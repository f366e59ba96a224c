// A frozen network on the CPU by kernels of our own: one operator for LibTorch, whatever the number of
// layers.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "kernels/inverted_network.h"

namespace nowhere {

class FeaturePasses {
 public:
  explicit FeaturePasses(const InvertedNetworkWeights& weights);

  // Whether it takes these pictures: float32 on the CPU, of the size that it was made for. It computes in
  // float32 under autocast too.
  bool takes(const torch::Tensor& pictures) const;

  // pictures [N,3,S,S] in any layout -> [N,C,H,W] each, channels last. Where the pictures want a gradient, it
  // flows back to them; second derivatives are refused. The graph shares the network.
  std::vector<torch::Tensor> operator()(const torch::Tensor& pictures) const;

  struct Network;  // what the graph keeps

 private:
  c10::intrusive_ptr<Network> network_;
};

}  // namespace nowhere
