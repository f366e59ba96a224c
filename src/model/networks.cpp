#include "model/networks.h"

#include <ATen/CPUGeneratorImpl.h>

#include "kernels/matrix_convolution.h"

namespace nowhere {
namespace {

namespace nn = torch::nn;

constexpr int kKernel = 4;
constexpr double kLeak = 0.2;
constexpr double kDeviation = 0.02;

constexpr int kStride = 2;

// Twice the size, by whichever way is faster.
class GrowImpl : public nn::ConvTranspose2dImpl {
 public:
  using nn::ConvTranspose2dImpl::ConvTranspose2dImpl;
  torch::Tensor forward(const torch::Tensor& maps) {
    return matrix_is_faster(maps, maps.size(2), weight) ? double_maps(maps, weight)
                                                        : nn::ConvTranspose2dImpl::forward(maps);
  }
};
TORCH_MODULE(Grow);

// Half the size, by whichever way is faster.
class ShrinkImpl : public nn::Conv2dImpl {
 public:
  using nn::Conv2dImpl::Conv2dImpl;
  torch::Tensor forward(const torch::Tensor& maps) {
    return matrix_is_faster(maps, maps.size(2) / kStride, weight) ? halve_maps(maps, weight)
                                                                  : nn::Conv2dImpl::forward(maps);
  }
};
TORCH_MODULE(Shrink);

Grow grow(int from, int to) {
  return Grow(nn::ConvTranspose2dOptions(from, to, kKernel).stride(kStride).padding(1).bias(false));
}

Shrink shrink(int from, int to) {
  return Shrink(nn::Conv2dOptions(from, to, kKernel).stride(kStride).padding(1).bias(false));
}

// The mean deviation within each group of neighbours, as one more channel: [N,C,4,4] -> [N,1,4,4]
torch::Tensor spread(const torch::Tensor& features, int64_t group) {
  const int64_t count = features.size(0);
  const torch::Tensor grouped = features.reshape({count / group, group, -1});
  const torch::Tensor deviation = (grouped.var(1, /*unbiased=*/false) + 1e-8).sqrt().mean(1);  // [groups]
  return deviation.repeat_interleave(group)
      .view({count, 1, 1, 1})
      .expand({count, 1, features.size(2), features.size(3)});
}

}  // namespace

GeneratorImpl::GeneratorImpl(const ModelConfig& config) {
  config.check();
  int channels = config.ngf * config.img_size / 8;
  // [N,nz,1,1] -> [N,channels,4,4]
  main_->push_back(nn::ConvTranspose2d(nn::ConvTranspose2dOptions(config.nz, channels, kKernel).bias(false)));
  for (int size = 4;; size *= 2) {
    main_->push_back(nn::BatchNorm2d(channels));
    main_->push_back(nn::ReLU(nn::ReLUOptions().inplace(true)));
    if (size == config.img_size / 2) break;
    main_->push_back(grow(channels, channels / 2));  // twice the size, half the channels
    channels /= 2;
  }
  main_->push_back(grow(channels, config.nc));
  main_->push_back(nn::Tanh());
  register_module("main", main_);
}

torch::Tensor GeneratorImpl::forward(torch::Tensor z) {
  return main_->forward(z.dim() == 2 ? z.unsqueeze(-1).unsqueeze(-1) : z);
}

DiscriminatorImpl::DiscriminatorImpl(const ModelConfig& config, Traits traits) : group_(traits.group) {
  config.check();
  int channels = config.ndf;
  main_->push_back(shrink(config.nc, channels));
  main_->push_back(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(kLeak).inplace(true)));
  for (int size = config.img_size / 2; size > 4; size /= 2) {
    main_->push_back(shrink(channels, channels * 2));  // half the size, twice the channels
    channels *= 2;
    if (traits.batch_norm) main_->push_back(nn::BatchNorm2d(channels));
    main_->push_back(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(kLeak).inplace(true)));
  }
  for (const auto& layer : *main_) body_->push_back(layer);
  // [N,channels,4,4] -> [N,1,1,1]
  last_ = nn::Conv2d(nn::Conv2dOptions(channels + (group_ > 0 ? 1 : 0), 1, kKernel).bias(false));
  main_->push_back(last_);
  register_module("main", main_);
}

torch::Tensor DiscriminatorImpl::forward(torch::Tensor pictures) {
  torch::Tensor features = body_->forward(pictures);  // [N,channels,4,4]
  if (group_ > 0) features = torch::cat({features, spread(features, group_)}, 1);
  return last_->forward(features).view({-1});
}

void initialise(torch::nn::Module& network, uint64_t seed) {
  const torch::NoGradGuard no_gradients;
  auto generator = at::detail::createCPUGenerator(seed);
  for (const auto& module : network.modules(/*include_self=*/false)) {
    auto* convolution = module->as<nn::Conv2d>();
    auto* transposed = module->as<nn::ConvTranspose2d>();
    auto* norm = module->as<nn::BatchNorm2d>();
    if (convolution != nullptr) convolution->weight.normal_(0, kDeviation, generator);
    if (transposed != nullptr) transposed->weight.normal_(0, kDeviation, generator);
    if (norm != nullptr) {
      norm->weight.normal_(1, kDeviation, generator);
      norm->bias.zero_();
    }
  }
}

int64_t count_parameters(const torch::nn::Module& network) {
  int64_t count = 0;
  for (const torch::Tensor& parameter : network.parameters()) count += parameter.numel();
  return count;
}

}  // namespace nowhere
