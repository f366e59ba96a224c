// A generator for making pictures on the CPU: batch norm folded into the weights, layers as matrix products over the taps that
// fall inside. Less than half the time of the network that is trained, and the same pictures to the last bits of a float.
#pragma once

#include <torch/torch.h>

#include <array>
#include <functional>
#include <vector>

#include "image/image.h"
#include "kernels/row_product.h"
#include "model/networks.h"

namespace nowhere {

class FastGenerator {
 public:
  // Takes the weights as they are: those of a network that evaluates, float32 on the CPU. 0 threads: as many as there are
  // cores.
  explicit FastGenerator(const Generator& generator, int threads = 0);

  // z [N,nz] or [N,nz,1,1] -> pictures [N,S,S,3] in [-1,1]. A picture's bits depend on its own vector alone: each of its
  // numbers is a chain of sums in one order, whatever else is made.
  torch::Tensor operator()(const torch::Tensor& z) const;
  // The same as images.
  std::vector<Image> images(const torch::Tensor& z) const;

 private:
  struct Layer {
    int64_t side = 0;  // of the maps that it doubles; 1 for the first, whose maps become 4 x 4
    std::vector<Panels>
        taps;  // [4*4] matrices [in,out]; of the last layer, whose columns are few, one [in,4*4*out]
    std::vector<float> bias;  // [out], padded
  };

  // Calls take(the first of a group, its pictures [n,S,S,3]) for all groups, on several threads.
  void make(const torch::Tensor& z,
            const std::function<void(int64_t first, const torch::Tensor& pictures)>& take) const;
  void make_group(const float* z, int64_t count, float* pictures) const;
  void make_first(const float* z, int64_t count, float* maps) const;
  void grow(size_t layer, const float* maps, int64_t count, float* pictures) const;
  void double_maps(const Layer& layer, const float* maps, int64_t count, float* out) const;
  void finish(const float* maps, int64_t count, float* pictures) const;

  TileKernel kernel_;
  std::vector<Layer> layers_;
  std::array<int64_t, 3> shape_{};  // of a picture: side, side, channels
  int threads_;
};

}  // namespace nowhere
