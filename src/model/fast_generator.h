// A generator for making pictures on the CPU: batch norm folded into the weights, transposed convolutions as matrix products.
// Less than half the time of the network that is trained, and the same pictures to the last bit or two of a float.
#pragma once

#include <torch/torch.h>

#include <array>
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
  // Some lines of the 4 x 4 kernel, and the lines of the small map that they can see.
  struct Taps {
    int64_t begin = 0, end = 4;    // lines of the kernel
    int64_t above = 0, below = 0;  // lines of the map whose sums would fall outside
    torch::Tensor weight;          // [in, (end-begin)*4*out]
  };
  struct Layer {
    int64_t side = 0;  // of the maps that it doubles
    std::vector<Taps> taps;
    torch::Tensor bias;  // [out]
  };
  static Layer layer_of(const torch::Tensor& weight, const torch::Tensor& bias, int64_t side);

  struct Stage;
  using Workshop = std::vector<Stage>;  // what a thread works on, a stage for each layer

  Workshop open_workshop() const;
  void begin_group(const torch::Tensor& z, Workshop& workshop) const;
  void grow(size_t layer, int64_t wanted, float* pictures, Workshop& workshop) const;

  torch::Tensor first_;  // [4, nz, 4*channels]: one place becomes 4 x 4, line by line
  torch::Tensor first_bias_;
  std::vector<Layer> layers_;
  std::array<int64_t, 3> shape_{};  // of a picture: side, side, channels
  int threads_;
};

}  // namespace nowhere
