#include "model/fast_generator.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "core/cpu.h"
#include "core/parallel.h"
#include "kernels/low_pass.h"
#include "kernels/scatter.h"
#include "kernels/winograd.h"

namespace nowhere {
namespace {

constexpr int64_t kKernel = 4, kFirstSide = 4;
constexpr int64_t kTogether = 48;  // pictures of a group, which has a thread and shares transforms of weights

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

// Spare rows are for the tiles of products.
std::unique_ptr<float[]> new_maps(int64_t side, int64_t count, int64_t channels) {
  return std::make_unique_for_overwrite<float[]>(
      static_cast<size_t>((side * side * count + kSpareRows) * channels));
}

// How many go together when maps have this side: as many as make 48 of Winograd's tiles, which share a
// transform of the weights. More would not stay in the core's cache.
int64_t together(int64_t side) {
  constexpr int64_t kPlacesOfTile = 16;
  return std::clamp<int64_t>(kTogether * kPlacesOfTile / (side * side), 1, kTogether);
}

std::span<const float> numbers(const torch::Tensor& tensor) {
  return {tensor.const_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

}  // namespace

FastGenerator::FastGenerator(const Generator& generator, int threads)
    : kernel_(tile_kernel()), threads_(threads > 0 ? threads : available_cores()) {
  const NetworkDescription& network = generator->description();
  if (const auto supported = supports(network); !supported) throw Error(supported.error().reason);
  const torch::NoGradGuard no_gradients;
  const auto parameters = generator->named_parameters(), buffers = generator->named_buffers();
  torch::Tensor weight;  // [in,4,4,out] of the convolution whose norm comes next
  int64_t side = 1;
  const auto add = [&](const torch::Tensor& scale, const torch::Tensor& shift, bool last) {
    const torch::Tensor scaled = (weight * scale).contiguous();
    FoldedLayer layer{.side = side, .in = scaled.size(0), .out = scaled.size(3)};
    if (last)
      layer.taps.emplace_back(kernel_, numbers(scaled), kKernel * kKernel * scaled.size(3));
    else if (side > 1)
      layer.weights.assign(numbers(scaled).begin(), numbers(scaled).end());
    else
      for (int64_t tap = 0; tap < kKernel * kKernel; ++tap)
        layer.taps.emplace_back(
            kernel_, numbers(scaled.select(1, tap / kKernel).select(1, tap % kKernel).contiguous()),
            scaled.size(3));
    layer.bias = padded_bias(kernel_, numbers(shift.contiguous()));
    layers_.push_back(std::move(layer));
    side = side == 1 ? kFirstSide : 2 * side;
  };
  for (const Layer& layer : network.layers()) {
    if (layer.as<LowPass>() != nullptr) low_pass_ = true;
    if (layer.as<TransposedConvolution>() != nullptr)
      weight = parameters[layer.name + ".weight"].detach().permute({0, 2, 3, 1});
    if (const auto* norm = layer.as<BatchNorm>(); norm != nullptr) {
      const torch::Tensor scale =
          parameters[layer.name + ".weight"] / (buffers[layer.name + ".running_var"] + norm->epsilon).sqrt();
      add(scale, parameters[layer.name + ".bias"] - buffers[layer.name + ".running_mean"] * scale,
          /*last=*/false);
    }
  }
  add(torch::ones({weight.size(3)}), torch::zeros({weight.size(3)}), /*last=*/true);
  shape_ = {side, side, weight.size(3)};
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
  const int64_t count = input.count(), depth = layers_.front().in;
  const torch::Tensor vectors =
      torch::constant_pad_nd(input.latent.reshape({count, depth}), {0, 0, 0, kSpareRows});
  // Few pictures are shared among all threads, many go in whole groups.
  const int64_t group = std::clamp<int64_t>((count + threads_ - 1) / threads_, 1, kTogether);
  const OneThreadEach one_thread_each;
  parallel_for(static_cast<size_t>((count + group - 1) / group), threads_, [&](size_t i) {
    const torch::NoGradGuard no_gradients_here;
    const int64_t first = static_cast<int64_t>(i) * group, some = std::min(group, count - first);
    torch::Tensor pictures = torch::empty({some, shape_[0], shape_[1], shape_[2]});
    make_group(vectors[first].const_data_ptr<float>(), some, pictures.mutable_data_ptr<float>());
    take(first, pictures.tanh_());
  });
}

// z [count,nz] -> pictures [count,S,S,nc] before tanh. Maps are [count,side,side,channels].
void FastGenerator::make_group(const float* z, int64_t count, float* pictures) const {
  const auto maps = new_maps(kFirstSide, count, layers_.front().out);
  make_first(z, count, maps.get());
  grow(1, maps.get(), count, pictures);
}

void FastGenerator::make_first(const float* z, int64_t count, float* maps) const {
  const FoldedLayer& layer = layers_.front();
  const int64_t map_size = kFirstSide * kFirstSide * layer.out;
  for (const PackedMatrix& tap : layer.taps) {
    const Factor factor{0, &tap};
    for (int64_t panel = 0; panel < tap.count(); ++panel)
      multiply_rows(kernel_, {z, tap.depth(), count}, {&factor, 1}, panel, {layer.bias, 0},
                    {maps, 1, map_size, 0});
    maps += layer.out;
  }
}

// From the maps of a layer to pictures. Where maps become too large to go on together, some go all the way
// before the others.
void FastGenerator::grow(size_t index, const float* maps, int64_t count, float* pictures) const {
  const FoldedLayer& layer = layers_[index];
  const int64_t map_size = layer.side * layer.side * layer.in;
  if (index + 1 == layers_.size()) return finish(maps, count, pictures);
  const int64_t some = std::min(count, together(layer.side));
  const auto doubled = new_maps(2 * layer.side, some, layer.out);
  for (int64_t begin = 0; begin < count; begin += some) {
    const int64_t taken = std::min(some, count - begin);
    double_side(layer, maps + begin * map_size, taken, doubled.get());
    grow(index + 1, doubled.get(), taken, pictures + begin * shape_[0] * shape_[1] * shape_[2]);
  }
}

// maps [count,side,side,in] -> out [count,2*side,2*side,out]
void FastGenerator::double_side(const FoldedLayer& layer, const float* maps, int64_t count,
                                float* out) const {
  const HalvingShape shape{.pictures = count,
                           .height = 2 * layer.side,
                           .width = 2 * layer.side,
                           .channels = layer.out,
                           .kernels = layer.in};
  winograd_double(shape, maps, layer.weights.data(), {layer.bias.data(), 0}, out, one_worker());
}

// The last layer has few channels: one product with all of its taps, whose results are summed up
// afterwards.
void FastGenerator::finish(const float* maps, int64_t count, float* pictures) const {
  const FoldedLayer& layer = layers_.back();
  const PackedMatrix& all = layer.taps.front();
  const int64_t places = layer.side * layer.side;
  const std::vector<float> zeros =
      padded_bias(kernel_, std::vector<float>(static_cast<size_t>(all.columns())));
  const auto columns = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(places * all.columns()));
  const Factor factor{0, &all};
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t panel = 0; panel < all.count(); ++panel)
      multiply_rows(kernel_, {maps + i * places * layer.in, layer.in, places}, {&factor, 1}, panel,
                    {zeros, kNoFloor}, {columns.get(), places, 0, all.columns()});
    float* picture = pictures + i * shape_[0] * shape_[1] * shape_[2];
    scatter_picture(columns.get(), layer.side, shape_[2], layer.bias.data(), picture);
    if (low_pass_) smooth_picture(picture, layer.side * 2, shape_[2]);
  }
}

}  // namespace nowhere
