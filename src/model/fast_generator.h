// A generator for making pictures on the CPU: batch norm folded into the weights, layers by Winograd's
// transforms, the first and the last as matrix products. Less than half the time of
// LibTorch's network, and the same pictures up to rounding.
#pragma once

#include <torch/torch.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/team.h"
#include "kernels/doubling_weights.h"
#include "kernels/row_product.h"
#include "kernels/workers.h"
#include "model/networks.h"
#include "model/picture_backend.h"

namespace nowhere {

class FastGenerator : public PictureBackend {
 public:
  // A chain of transposed convolutions 4 x 4, each with batch norm and ReLU, the last with tanh, perhaps
  // smoothed before it. For other networks a failure that names the first layer that does not fit.
  static Result<void> supports(const NetworkDescription& network);

  // Copies the weights of a network that is supported, float32 on the CPU. 0 threads: as many as there are
  // cores.
  explicit FastGenerator(const Generator& generator, int threads = 0);

  // A picture's bits depend on its own latent vector alone: each number is a chain of sums in one order,
  // whatever else is made with it.
  void make(const GeneratorInput& input, const TakePictures& take) const override;

 private:
  struct FoldedLayer {
    int64_t side = 0;  // of the maps that it doubles; 1 for the first, whose maps become 4 x 4
    int64_t in = 0, out = 0;
    int64_t map_size() const { return side * side * in; }
    // Of the first layer [4*4] matrices [in,out]; of the last, whose columns are few, one [in,4*4*out].
    std::vector<PackedMatrix> taps;
    std::optional<DoublingWeights> weights;  // of the others
    std::vector<float> bias;                 // [out], padded
  };
  // Maps [count,side,side,channels] that a layer is to double.
  struct Maps {
    size_t layer = 0;
    std::unique_ptr<float[]> numbers;
  };

  Workers workers() const;  // the team
  Maps begin(const float* z, int64_t count, const Workers& workers) const;
  void make_first(const float* z, int64_t count, float* maps, const Workers& workers) const;
  void grow(size_t layer, const float* maps, int64_t count, float* pictures) const;
  void double_side(const FoldedLayer& layer, const float* maps, int64_t count, float* out,
                   const Workers& workers) const;
  void finish(const float* maps, int64_t count, float* pictures) const;

  TileKernel kernel_, last_kernel_;
  std::vector<FoldedLayer> layers_;
  std::array<int64_t, 3> shape_{};  // of a picture: side, side, channels
  bool low_pass_ = false;
  std::unique_ptr<Team> team_;
};

}  // namespace nowhere
