#include "model/fast_generator.h"

#include <ATen/Parallel.h>

#include "core/cpu.h"
#include "core/parallel.h"
#include "kernels/scatter.h"

namespace nowhere {
namespace {

constexpr int64_t kTogether = 16;  // pictures in the products of the first two layers
constexpr int64_t kFirstSide = 4;

// [in,out,4,4] -> [in,16*out], each output channel times its scale
torch::Tensor taps_matrix(const torch::Tensor& weight, const torch::Tensor& scale) {
  return (weight.permute({0, 2, 3, 1}) * scale).reshape({weight.size(0), -1}).contiguous();
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

FastGenerator::FastGenerator(const Generator& generator, int threads)
    : threads_(threads > 0 ? threads : available_cores()) {
  const torch::NoGradGuard no_gradients;
  torch::Tensor weight;  // of the layer whose norm comes next
  for (const auto& module : generator->modules(/*include_self=*/false)) {
    if (auto* convolution = module->as<torch::nn::ConvTranspose2d>(); convolution != nullptr)
      weight = convolution->weight.detach();
    if (auto* norm = module->as<torch::nn::BatchNorm2d>(); norm != nullptr) {
      const torch::Tensor scale = norm->weight / (norm->running_var + norm->options.eps()).sqrt();
      layers_.push_back({taps_matrix(weight, scale), (norm->bias - norm->running_mean * scale).contiguous()});
    }
  }
  const auto channels = weight.size(1);
  layers_.push_back({taps_matrix(weight, torch::ones({channels})), torch::zeros({channels}), /*last=*/true});
}

torch::Tensor FastGenerator::operator()(const torch::Tensor& z) const {
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> groups;
  for (const torch::Tensor& some : z.reshape({z.size(0), -1}).split(kTogether)) groups.push_back(some);
  const OneThreadEach one_thread_each;
  parallel_for(groups.size(), threads_, [&](size_t i) {
    const torch::NoGradGuard no_gradients_here;
    const int64_t wanted = groups[i].size(0), missing = kTogether - wanted;
    if (missing > 0) groups[i] = torch::constant_pad_nd(groups[i], {0, 0, 0, missing});
    groups[i] = make_group(groups[i], wanted);
  });
  return groups.size() == 1 ? groups.front() : torch::cat(groups);
}

// z [kTogether,nz], of which the first `wanted` count -> [wanted,S,S,3]
torch::Tensor FastGenerator::make_group(const torch::Tensor& z, int64_t wanted) const {
  // One place becomes 4 x 4: the product's rows are the maps already.
  const Layer& first = layers_.front();
  torch::Tensor maps = torch::mm(z, first.weight).view({kTogether, kFirstSide, kFirstSide, -1});
  maps.add_(first.bias).relu_();
  for (size_t i = 1; i < layers_.size(); ++i) maps = grow(maps, maps.size(1), layers_[i], wanted);
  return maps.tanh_();
}

// maps [N,side,side,in] -> [wanted,2*side,2*side,out]. The smallest maps share one product, or its weights would be read
// from memory for every picture; larger ones have one each, whose result stays in the core's cache.
torch::Tensor FastGenerator::grow(const torch::Tensor& maps, int64_t side, const Layer& layer,
                                  int64_t wanted) const {
  const int64_t out = layer.bias.size(0), in = maps.size(3), places = side * side;
  const Activation activation = layer.last ? Activation::kNone : Activation::kRelu;
  torch::Tensor grown = torch::empty({wanted, 2 * side, 2 * side, out});
  const bool shared = side == kFirstSide;
  const torch::Tensor all = shared ? torch::mm(maps.view({-1, in}), layer.weight) : torch::Tensor();
  torch::Tensor own = shared ? torch::Tensor() : torch::empty({places, layer.weight.size(1)});
  for (int64_t i = 0; i < wanted; ++i) {
    if (!shared) at::mm_out(own, maps[i].view({places, in}), layer.weight);
    const float* columns = shared ? all.const_data_ptr<float>() + i * places * layer.weight.size(1)
                                  : own.const_data_ptr<float>();
    scatter_picture(columns, side, out, layer.bias.const_data_ptr<float>(), activation,
                    grown.mutable_data_ptr<float>() + i * 4 * places * out);
  }
  return grown;
}

}  // namespace nowhere
