#include "model/fast_generator.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>

#include "core/cpu.h"
#include "core/parallel.h"
#include "kernels/scatter.h"

namespace nowhere {
namespace {

constexpr int64_t kTogether = 16;  // pictures that begin together
constexpr int64_t kFirstSide = 4, kKernel = 4;

// Whose maps of this side share a product: 256 rows are enough for its weights to be read once and for its result to stay
// in the core's cache.
int64_t sharing(int64_t side) {
  return std::max<int64_t>(1, kTogether * kFirstSide * kFirstSide / (side * side));
}

// While it lives, LibTorch's operators use one thread: groups of pictures have a thread each, without waiting for each other
// after every operator, and leave the cores to others in between. Twice as fast under a server's load as its own threads.
class OneThreadEach {
 public:
  OneThreadEach() : before_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThreadEach() { at::set_num_threads(before_); }
  OneThreadEach(const OneThreadEach&) = delete;
  OneThreadEach& operator=(const OneThreadEach&) = delete;

 private:
  int before_;
};

}  // namespace

struct FastGenerator::Stage {
  // Lines of all pictures that share a product, then their next lines: a product may leave out the first or the last ones.
  torch::Tensor maps;     // [side, sharing*side, in]
  torch::Tensor columns;  // [side, sharing*side, 4*4*out]
  struct Product {
    torch::Tensor left, right, result;
  };
  std::vector<Product> products;
};

FastGenerator::FastGenerator(const Generator& generator, int threads)
    : threads_(threads > 0 ? threads : available_cores()) {
  const torch::NoGradGuard no_gradients;
  using WeightAndBias = std::pair<torch::Tensor, torch::Tensor>;  // [in,4,4,out], [out]
  std::vector<WeightAndBias> folded;
  torch::Tensor weight;  // of the layer whose norm comes next
  for (const auto& module : generator->modules(/*include_self=*/false)) {
    if (auto* convolution = module->as<torch::nn::ConvTranspose2d>(); convolution != nullptr)
      weight = convolution->weight.detach().permute({0, 2, 3, 1});
    if (auto* norm = module->as<torch::nn::BatchNorm2d>(); norm != nullptr) {
      const torch::Tensor scale = norm->weight / (norm->running_var + norm->options.eps()).sqrt();
      folded.emplace_back(weight * scale, (norm->bias - norm->running_mean * scale).contiguous());
    }
  }
  folded.emplace_back(weight, torch::zeros({weight.size(3)}));
  first_ = folded.front().first.flatten(2).transpose(0, 1).contiguous();
  first_bias_ = folded.front().second;
  int64_t side = kFirstSide;
  for (size_t i = 1; i < folded.size(); ++i, side *= 2)
    layers_.push_back(layer_of(folded[i].first, folded[i].second, side));
  shape_ = {side, side, folded.back().second.size(0)};
}

// On small maps many sums fall outside: their rows are left out of the products. On large ones that is not worth two more.
FastGenerator::Layer FastGenerator::layer_of(const torch::Tensor& weight, const torch::Tensor& bias,
                                             int64_t side) {
  constexpr int64_t kLargeSide = 16;
  Layer layer{side, {}, bias};
  if (side < kLargeSide)
    layer.taps = {{0, 1, 1, 0, {}}, {1, 3, 0, 0, {}}, {3, 4, 0, 1, {}}};
  else
    layer.taps = {{0, 4, 0, 0, {}}};
  for (Taps& taps : layer.taps)
    taps.weight = weight.slice(1, taps.begin, taps.end).reshape({weight.size(0), -1}).contiguous();
  return layer;
}

FastGenerator::Workshop FastGenerator::open_workshop() const {
  Workshop workshop;
  for (const Layer& layer : layers_) {
    const int64_t line = sharing(layer.side) * layer.side, in = layer.taps.front().weight.size(0),
                  out = layer.bias.size(0);
    Stage stage{
        torch::empty({layer.side, line, in}), torch::empty({layer.side, line, kKernel * kKernel * out}), {}};
    for (const Taps& taps : layer.taps) {
      const int64_t end = layer.side - taps.below;
      stage.products.push_back({stage.maps.slice(0, taps.above, end).flatten(0, 1), taps.weight,
                                stage.columns.slice(0, taps.above, end)
                                    .flatten(0, 1)
                                    .slice(1, taps.begin * kKernel * out, taps.end * kKernel * out)});
    }
    workshop.push_back(std::move(stage));
  }
  return workshop;
}

torch::Tensor FastGenerator::operator()(const torch::Tensor& z) const {
  const torch::NoGradGuard no_gradients;
  const int64_t count = z.size(0), groups = (count + kTogether - 1) / kTogether;
  torch::Tensor pictures = torch::empty({count, shape_[0], shape_[1], shape_[2]});
  const torch::Tensor padded =
      torch::constant_pad_nd(z.reshape({count, -1}), {0, 0, 0, groups * kTogether - count});
  const OneThreadEach one_thread_each;
  std::atomic<int64_t> next = 0;
  const auto workers = static_cast<size_t>(std::min<int64_t>(threads_, groups));
  parallel_for(workers, static_cast<int>(workers), [&](size_t) {
    const torch::NoGradGuard no_gradients_here;
    Workshop workshop = open_workshop();
    for (int64_t group = next++; group < groups; group = next++) {
      const int64_t begin = group * kTogether, wanted = std::min(kTogether, count - begin);
      begin_group(padded.narrow(0, begin, kTogether), workshop);
      torch::Tensor some = pictures.narrow(0, begin, wanted);
      grow(0, wanted, some.mutable_data_ptr<float>(), workshop);
      some.tanh_();
    }
  });
  return pictures;
}

// z [kTogether,nz] -> the maps of the first stage
void FastGenerator::begin_group(const torch::Tensor& z, Workshop& workshop) const {
  torch::Tensor& maps = workshop.front().maps;
  for (int64_t y = 0; y < kFirstSide; ++y) {
    torch::Tensor line = maps[y].view({kTogether, -1});
    at::mm_out(line, z, first_[y]);
  }
  maps.add_(first_bias_).relu_();
}

// From the maps of a stage to pictures, of which the first `wanted` count: those that share the next product go all the way
// to the end before the others, while their numbers are in the core's cache.
void FastGenerator::grow(size_t index, int64_t wanted, float* pictures, Workshop& workshop) const {
  const Layer& layer = layers_[index];
  Stage& stage = workshop[index];
  for (Stage::Product& product : stage.products) at::mm_out(product.result, product.left, product.right);
  const bool last = index + 1 == layers_.size();
  const int64_t side = layer.side, here = sharing(side), next = last ? 1 : sharing(2 * side);
  const auto scatter = [&](int64_t picture, float* out) {
    scatter_picture(stage.columns.const_data_ptr<float>() + picture * side * stage.columns.size(2), side,
                    layer.bias.size(0), layer.bias.const_data_ptr<float>(),
                    last ? Activation::kNone : Activation::kRelu, out, here, next);
  };
  for (int64_t begin = 0; begin < wanted; begin += next) {
    float* made = pictures + begin * shape_[0] * shape_[1] * shape_[2];
    if (last) {
      scatter(begin, made);
      continue;
    }
    float* maps = workshop[index + 1].maps.mutable_data_ptr<float>();
    for (int64_t i = 0; i < next; ++i) scatter(begin + i, maps + i * 2 * side * layer.bias.size(0));
    grow(index + 1, std::min(next, wanted - begin), made, workshop);
  }
}

}  // namespace nowhere
