// A generator for making pictures on the CPU: batch norm folded into the weights, transposed convolutions as matrix products.
// Less than half the time of the network that is trained, and the same pictures to the last bit or two of a float.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "model/networks.h"

namespace nowhere {

class FastGenerator {
 public:
  // Takes the weights as they are: those of a network that evaluates, float32 on the CPU. 0 threads: as many as there are
  // cores.
  explicit FastGenerator(const Generator& generator, int threads = 0);

  // z [N,nz] or [N,nz,1,1] -> pictures [N,S,S,3] in [-1,1]. A picture's bits depend on its own vector alone: every product
  // has the same shape, whatever N is.
  torch::Tensor operator()(const torch::Tensor& z) const;

 private:
  struct Layer {
    torch::Tensor weight;  // [in, 16*out]: the taps of the 4 x 4 kernel, channels last
    torch::Tensor bias;    // [out]
    bool last = false;
  };

  torch::Tensor make_group(const torch::Tensor& z, int64_t wanted) const;
  torch::Tensor grow(const torch::Tensor& maps, int64_t side, const Layer& layer, int64_t wanted) const;

  std::vector<Layer> layers_;
  int threads_;
};

}  // namespace nowhere
