// A generator for making pictures on the CPU: batch norm folded into the weights, and all layers but the
// first by Winograd's transforms. Less than half the time of LibTorch's network, and the same pictures up to
// rounding.
#pragma once

#include <torch/torch.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/team.h"
#include "kernels/doubling_weights.h"
#include "kernels/first_layer.h"
#include "kernels/last_layer.h"
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
    int64_t side = 0;  // of the maps that it doubles
    int64_t in = 0, out = 0;
    int64_t doubled_size() const { return 4 * side * side * out; }
    DoublingWeights weights;
    std::vector<float> bias;  // [out]
  };
  // Maps [count,side,side,channels] that a layer is to double.
  struct Maps {
    size_t layer = 0;  // behind all of layers_: last_
    int64_t size = 0;  // of one picture's
    Buffer numbers;
  };

  Workers workers() const;  // the team
  Maps begin(const float* z, int64_t count, const Workers& workers) const;
  void grow(size_t layer, const float* maps, int64_t count, float* pictures) const;
  void double_side(const FoldedLayer& layer, const float* maps, int64_t count, float* out,
                   const Workers& workers) const;
  void finish(const float* maps, int64_t count, float* pictures) const;

  std::optional<FirstLayer> first_;
  std::vector<FoldedLayer> layers_;  // between the first and the last
  std::optional<LastLayer> last_;
  std::array<int64_t, 3> shape_{};  // of a picture: side, side, channels
  bool low_pass_ = false;
  std::unique_ptr<Team> team_;
};

}  // namespace nowhere
