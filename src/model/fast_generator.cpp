#include "model/fast_generator.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "core/cpu.h"
#include "kernels/low_pass.h"
#include "kernels/tanh.h"
#include "kernels/winograd.h"

namespace nowhere {
namespace {

constexpr int64_t kKernel = 4, kFirstSide = FirstLayer::kSide;
// Of Winograd's tiles, so many share a transform of the weights; more would not stay in the core's cache.
// Maps of 4 x 4 are a tile each.
constexpr int64_t kTogether = 48;

// While it lives, LibTorch's operators use one thread: theirs would wait actively for each other, at the cost
// of ours.
class OneThreadEach {
 public:
  OneThreadEach() : before_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThreadEach() { at::set_num_threads(before_); }
  OneThreadEach(const OneThreadEach&) = delete;
  OneThreadEach& operator=(const OneThreadEach&) = delete;

 private:
  int before_;
};

int64_t tiles_of(int64_t side) {
  constexpr int64_t kTileSide = 4;
  return side / kTileSide * (side / kTileSide);
}

// How many pictures go together when maps have this side.
int64_t together(int64_t side) {
  return std::max<int64_t>(kTogether / tiles_of(side), 1);
}

std::span<const float> numbers(const torch::Tensor& tensor) {
  return {tensor.const_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

}  // namespace

FastGenerator::FastGenerator(const Generator& generator, int threads) {
  const NetworkDescription& network = generator->description();
  if (const auto supported = supports(network); !supported) throw Error(supported.error().reason);
  const torch::NoGradGuard no_gradients;
  const auto parameters = generator->named_parameters(), buffers = generator->named_buffers();
  torch::Tensor weight;  // [in,4,4,out] of the convolution whose norm comes next
  int64_t side = kFirstSide;
  const auto add = [&](const torch::Tensor& scale, const torch::Tensor& shift) {
    const torch::Tensor scaled = (weight * scale).contiguous(), bias = shift.contiguous();
    if (!first_) {
      first_.emplace(numbers(scaled), numbers(bias));
      return;
    }
    const int64_t in = scaled.size(0), out = scaled.size(3);
    layers_.push_back({side,
                       in,
                       out,
                       DoublingWeights(numbers(scaled), in, out),
                       {numbers(bias).begin(), numbers(bias).end()}});
    side *= 2;
  };
  for (const Layer& layer : network.layers()) {
    if (layer.as<LowPass>() != nullptr) low_pass_ = true;
    if (layer.as<TransposedConvolution>() != nullptr)
      weight = parameters[layer.name + ".weight"].detach().permute({0, 2, 3, 1});
    if (const auto* norm = layer.as<BatchNorm>(); norm != nullptr) {
      const torch::Tensor scale =
          parameters[layer.name + ".weight"] / (buffers[layer.name + ".running_var"] + norm->epsilon).sqrt();
      add(scale, parameters[layer.name + ".bias"] - buffers[layer.name + ".running_mean"] * scale);
    }
  }
  last_.emplace(numbers(weight.contiguous()), weight.size(3));
  shape_ = {2 * side, 2 * side, weight.size(3)};
  team_ = std::make_unique<Team>(threads > 0 ? threads : available_cores(), Team::Cores::kOthers);
}

Result<void> FastGenerator::supports(const NetworkDescription& network) {
  const std::vector<Layer>& layers = network.layers();
  // By its place: the input; then convolution, batch norm, ReLU; at last convolution, tanh, with or without a
  // low-pass filter between the two.
  const size_t last = layers.size() - 1;
  const bool smoothed = last > 0 && layers[last - 1].as<LowPass>() != nullptr;
  const auto fits = [&](size_t place) {
    const Layer& layer = layers[place];
    if (place == 0) return layer.shape.height == 1 && layer.shape.width == 1;
    if (layer.inputs != std::vector<size_t>{place - 1}) return false;
    if (place == last) return place % 3 == (smoothed ? 0 : 2) && layer.as<Tanh>() != nullptr;
    if (smoothed && place == last - 1) return true;
    if (place % 3 == 2) return layer.as<BatchNorm>() != nullptr;
    if (place % 3 == 0) return layer.as<Relu>() != nullptr;
    const auto* grow = layer.as<TransposedConvolution>();
    const bool first = place == 1;
    return grow != nullptr && grow->kernel == kKernel && grow->stride == (first ? 1 : 2) &&
           grow->padding == (first ? 0 : 1);
  };
  for (size_t place = 0; place < layers.size(); ++place)
    if (!fits(place))
      return Failure{fmt::format("the fast path does not make the layer {} ({})", layers[place].name,
                                 name_of(layers[place].operation))};
  return {};
}

void FastGenerator::make(const GeneratorInput& input, const TakePictures& take) const {
  const torch::NoGradGuard no_gradients;
  const int64_t count = input.count(), depth = first_->in();
  if (count == 0) return;
  const torch::Tensor vectors = input.latent.reshape({count, depth}).contiguous();
  const float* z = vectors.const_data_ptr<float>();
  const OneThreadEach one_thread_each;
  // Few pictures begin on all threads together: each transforms a part of the weights. Of many, each thread
  // makes some from beginning to end.
  const Maps begun = count <= kTogether ? begin(z, count, workers()) : Maps();
  const auto threads = static_cast<int64_t>(team_->size());
  const int64_t rounds = quotient_up(count, threads * kTogether),
                group = quotient_up(count, threads * rounds);
  team_->run(static_cast<size_t>(quotient_up(count, group)), [&](size_t i, size_t) {
    const torch::NoGradGuard no_gradients_here;
    const int64_t first = static_cast<int64_t>(i) * group, some = std::min(group, count - first);
    torch::Tensor pictures = torch::empty({some, shape_[0], shape_[1], shape_[2]});
    auto* made = pictures.mutable_data_ptr<float>();
    if (begun.numbers) {
      grow(begun.layer, begun.numbers.get() + first * begun.size, some, made);
    } else {
      const Maps own = begin(z + first * depth, some, one_worker());
      grow(own.layer, own.numbers.get(), some, made);
    }
    take(first, pictures);
  });
}

Workers FastGenerator::workers() const {
  return {static_cast<int64_t>(team_->size()), [this](int64_t jobs, const Job& job) {
            team_->run(static_cast<size_t>(jobs), [&](size_t i, size_t member) {
              job(static_cast<int64_t>(i), static_cast<int64_t>(member));
            });
          }};
}

// z [count,nz] -> maps, as far as all go together.
FastGenerator::Maps FastGenerator::begin(const float* z, int64_t count, const Workers& workers) const {
  const int64_t size = kFirstSide * kFirstSide * first_->out();
  Maps maps{0, size, new_buffer(count * size)};
  first_->make(z, count, maps.numbers.get(), workers);
  while (maps.layer < layers_.size() && count <= together(layers_[maps.layer].side)) {
    const FoldedLayer& layer = layers_[maps.layer];
    Buffer doubled = new_buffer(count * layer.doubled_size());
    double_side(layer, maps.numbers.get(), count, doubled.get(), workers);
    maps = {maps.layer + 1, layer.doubled_size(), std::move(doubled)};
  }
  return maps;
}

// From the maps of a layer to pictures [count,S,S,nc]. Where maps become too large to go on
// together, some go all the way before the others.
void FastGenerator::grow(size_t index, const float* maps, int64_t count, float* pictures) const {
  if (index == layers_.size()) return finish(maps, count, pictures);
  const FoldedLayer& layer = layers_[index];
  const int64_t some = std::min(count, together(layer.side));
  const Buffer doubled = new_buffer(some * layer.doubled_size());
  for (int64_t begin = 0; begin < count; begin += some) {
    const int64_t taken = std::min(some, count - begin);
    double_side(layer, maps + begin * layer.side * layer.side * layer.in, taken, doubled.get(), one_worker());
    grow(index + 1, doubled.get(), taken, pictures + begin * shape_[0] * shape_[1] * shape_[2]);
  }
}

// maps [count,side,side,in] -> out [count,2*side,2*side,out]
void FastGenerator::double_side(const FoldedLayer& layer, const float* maps, int64_t count, float* out,
                                const Workers& workers) const {
  const HalvingShape shape{.pictures = count,
                           .height = 2 * layer.side,
                           .width = 2 * layer.side,
                           .channels = layer.out,
                           .kernels = layer.in};
  winograd_double(shape, maps, layer.weights, {layer.bias.data(), 0}, out, workers);
}

void FastGenerator::finish(const float* maps, int64_t count, float* pictures) const {
  const int64_t size = shape_[0] * shape_[1] * shape_[2];
  last_->make(maps, count, shape_[0] / 2, pictures);
  for (int64_t i = 0; low_pass_ && i < count; ++i) smooth_picture(pictures + i * size, shape_[0], shape_[2]);
  tanh_numbers({pictures, static_cast<size_t>(count * size)});
}

}  // namespace nowhere
