// A network as data, free of LibTorch: named layers with their shapes and edges. Modules, the fast path,
// exported files, the plan and the reading of checkpoints are all made from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nowhere {

// The maps of one picture, or a latent vector as `channels` maps of 1 x 1.
struct MapShape {
  int64_t channels = 0, height = 0, width = 0;

  int64_t count() const { return channels * height * width; }
  bool operator==(const MapShape&) const = default;
};

// How weights begin: N(0, 0.02) as in the DCGAN paper, or uniform within 1/sqrt(inputs of a sum), PyTorch's
// own.
enum class WeightStart { kNarrow, kFanIn };

// What a layer does. Without a bias, batch norm follows, or nothing is to be added.
struct Input {};
struct Convolution {
  int64_t channels = 0;  // of the output
  int64_t kernel = 1, stride = 1, padding = 0;
  int64_t end_padding = 0;  // more zeros behind the last row and column: TensorFlow's SAME
  int64_t groups = 1;
  bool bias = false;
  bool spectral_norm = false;  // the weights are divided by their largest singular value
  WeightStart start = WeightStart::kNarrow;
};
struct TransposedConvolution {
  int64_t channels = 0;
  int64_t kernel = 1, stride = 1, padding = 0;
};
struct BatchNorm {
  double epsilon = 1e-5;
};
struct Relu {};
struct LeakyRelu {
  double slope = 0.2;  // of negative numbers
};
struct Relu6 {};
struct Tanh {};
// The binomial filter [1,2,1] in both directions; the edges are repeated.
struct LowPass {};
struct AveragePool {
  int64_t factor = 2;
};
struct SpatialMean {};  // of each map: one number
// Divides by one number that is measured once: the deviation of what comes in.
struct UnitScale {};
struct UpsampleNearest {
  int64_t factor = 2;
};
struct Sum {};          // of inputs of one shape
struct Concatenate {};  // of the channels of inputs of one size
// The mean deviation within each group of neighbours in the batch, as one channel. The batch is a multiple of
// the group.
struct GroupSpread {
  int64_t group = 0;
};

using Operation =
    std::variant<Input, Convolution, TransposedConvolution, BatchNorm, Relu, LeakyRelu, Relu6, Tanh, LowPass,
                 AveragePool, SpatialMean, UnitScale, UpsampleNearest, Sum, Concatenate, GroupSpread>;

// For messages: "batch norm"
std::string_view name_of(const Operation& operation);

struct Layer {
  std::string name;  // "main.3": the prefix of its tensors' names
  Operation operation;
  std::vector<size_t> inputs;  // numbers of earlier layers
  MapShape shape;              // of its output

  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&operation);
  }
};

// A tensor of a network as it stands in a state dict.
struct TensorDescription {
  enum class Role { kParameter, kBuffer, kCounter };  // a counter is one int64; all others are float32
  // N(0, 0.02), uniform within 1/sqrt(fan in), N(1, 0.02), a random direction of length 1, 0, 1
  enum class Start { kWeight, kFanIn, kScale, kDirection, kZero, kOne };

  std::string name;  // "main.3.weight"
  std::vector<int64_t> shape;
  Role role = Role::kParameter;
  Start start = Start::kZero;

  int64_t count() const;
};

// The tensors of one layer, their names without the layer's, in the order of a state dict: parameters, then
// buffers.
std::vector<TensorDescription> tensors_of(const Layer& layer, const MapShape& input);

// Multiplications of one picture's forward pass.
int64_t multiplications_of(const Layer& layer, const MapShape& input);

class NetworkDescription {
 public:
  explicit NetworkDescription(MapShape input);

  // Adds a layer behind the last one, or behind the ones named by number; gives its number. Throws Error,
  // naming the layer, when the shapes do not fit.
  size_t add(std::string name, Operation operation);
  size_t add(std::string name, Operation operation, std::vector<size_t> inputs);

  const std::vector<Layer>& layers() const { return layers_; }  // the first is the input, the last the output
  const MapShape& input() const { return layers_.front().shape; }
  const MapShape& output() const { return layers_.back().shape; }
  const MapShape& input_of(const Layer& layer) const { return layers_[layer.inputs.front()].shape; }
  size_t last() const { return layers_.size() - 1; }
  // How many layers take this layer's output.
  size_t consumers(size_t layer) const;
  // Whether an activation may be computed in place: nobody else, gradients included, needs its input.
  bool in_place(size_t layer) const;

  // All tensors with their full names: parameters in the order of the layers, then buffers in the same order.
  std::vector<TensorDescription> tensors() const;

  int64_t parameters() const;       // trainable numbers
  int64_t multiplications() const;  // of one picture's forward pass
  int64_t activations() const;      // numbers that one picture's forward pass keeps for the gradients

 private:
  std::vector<Layer> layers_;
};

}  // namespace nowhere
