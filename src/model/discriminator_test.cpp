#include "model/discriminator.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/test_folder.h"
#include "model/group_spread.h"
#include "model/state_dict.h"
#include "model/test_features.h"

namespace nowhere {
namespace {

const ModelConfig kParts{.nz = 8,
                         .ngf = 4,
                         .ndf = 4,
                         .img_size = 64,
                         .d_batch_norm = false,
                         .d_group = 2,
                         .d_pixels = false,
                         .d_thumbnail = 16,
                         .d_heads = 8};

std::shared_ptr<FeatureMaps> tiny_features() {
  const TestFolder folder;
  TinyEfficientNet().write(folder.path() / "net.pth");
  return open_feature_maps(folder.path() / "net.pth", kParts.img_size);
}

Discriminator made(const ModelConfig& config, const std::shared_ptr<FeatureMaps>& features) {
  Discriminator discriminator(config, features);
  initialise(*discriminator, 3);
  return discriminator;
}

TEST(Discriminator, HasALogitForEachPart) {
  const auto features = tiny_features();
  const torch::Tensor pictures = torch::rand({4, 3, 64, 64});
  ModelConfig config = kParts;
  Discriminator discriminator = made(config, features);
  discriminator->measure_scales(pictures);
  EXPECT_EQ(discriminator(pictures).sizes(), (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(discriminator->forward_pixels(pictures).sizes(), (std::vector<int64_t>{4, 1}));
  config.d_pixels = true;
  discriminator = made(config, features);
  discriminator->measure_scales(pictures);
  EXPECT_EQ(discriminator(pictures).sizes(), (std::vector<int64_t>{4, 5}));
  EXPECT_TRUE(discriminator->named_parameters().contains("main.0.weight"));  // the reference's names
  config.d_pixels = false;
  config.d_thumbnail = 0;
  EXPECT_FALSE(made(config, features)->sees_pixels());
  EXPECT_THROW(made(config, nullptr), Error);
}

TEST(Discriminator, DoesNotOwnTheFrozenNetwork) {
  const auto features = tiny_features();
  Discriminator discriminator = made(kParts, features);
  const torch::Tensor pictures = torch::rand({4, 3, 64, 64});
  discriminator->measure_scales(pictures);
  discriminator(pictures).sum().backward();
  for (const auto& item : discriminator->named_parameters()) {
    EXPECT_TRUE(item.key().starts_with("heads.") || item.key().starts_with("thumbnail.")) << item.key();
    EXPECT_TRUE(item.value().grad().defined()) << item.key();
  }
}

TEST(Discriminator, ScalesAreMeasuredOnceAndKeptInItsState) {
  const auto features = tiny_features();
  Discriminator discriminator = made(kParts, features), other = made(kParts, features);
  const torch::Tensor pictures = torch::rand({4, 3, 64, 64}) * 2 - 1;
  discriminator->measure_scales(pictures);
  const torch::Tensor deviation = discriminator->named_buffers()["heads.1.input.deviation"];
  EXPECT_NEAR(deviation.item<float>(), (*features)(pictures)[1].std().item<float>(), 1e-5);
  load_state_dict(*other, state_dict(*discriminator), "a checkpoint");
  other->measure_scales(pictures * 0.1);
  discriminator->measure_scales(pictures * 0.1);
  EXPECT_TRUE(torch::equal(other->named_buffers()["heads.1.input.deviation"], deviation));
}

// The largest singular value of the weights in use is 1, once the iteration has converged.
TEST(Discriminator, HeadsHaveSpectralNorm) {
  NetworkDescription network({3, 8, 8});
  network.add(
      "conv",
      Convolution{
          .channels = 6, .kernel = 3, .padding = 1, .spectral_norm = true, .start = WeightStart::kFanIn});
  struct Single : NetworkImpl {
    explicit Single(NetworkDescription description) : NetworkImpl({std::move(description)}) {}
    torch::Tensor forward(const torch::Tensor& maps) { return run(0, maps); }
  } single(network);
  initialise(single, 1);
  const torch::Tensor maps = torch::rand({1, 3, 8, 8});
  torch::Tensor out;
  for (int i = 0; i < 200; ++i) out = single.forward(maps);
  const torch::Tensor weight = single.named_parameters()["conv.weight_orig"];
  const torch::Tensor largest = torch::linalg_matrix_norm(weight.reshape({6, -1}), 2);
  EXPECT_TRUE(torch::allclose(out, torch::conv2d(maps, weight / largest, torch::Tensor(), 1, 1), 1e-4, 1e-5));
  // A frozen weight leaves the vectors as they are, so G's step does not change D.
  torch::Tensor(weight).requires_grad_(false);
  const torch::Tensor before = single.named_buffers()["conv.weight_u"].clone();
  torch::Tensor(weight).detach().mul_(torch::rand_like(weight));
  single.forward(maps);
  EXPECT_TRUE(torch::equal(before, single.named_buffers()["conv.weight_u"]));
}

// A convolution with spectral norm and the activation behind it, in one of the two layouts of its weight.
struct Head : NetworkImpl {
  static NetworkDescription description(int64_t kernel) {
    NetworkDescription network({24, 16, 16});
    network.add("conv", Convolution{.channels = 32,
                                    .kernel = kernel,
                                    .stride = kernel == 4 ? 2 : 1,
                                    .padding = (kernel - 1) / 2,
                                    .bias = true,
                                    .spectral_norm = true,
                                    .start = WeightStart::kFanIn});
    network.add("relu", LeakyRelu());
    return network;
  }
  Head(int64_t kernel, torch::MemoryFormat layout, Kernels kernels)
      : NetworkImpl({description(kernel)}, kernels) {
    initialise(*this, 1);
    torch::Tensor weight = named_parameters()["conv.weight_orig"];
    weight.set_data(weight.contiguous(layout));
  }
  torch::Tensor forward(const torch::Tensor& maps) { return run(0, maps); }
  // The results, the gradient to the maps, and those to the parameters.
  std::vector<torch::Tensor> pass(const torch::Tensor& maps) {
    const torch::Tensor from = maps.detach().requires_grad_();
    const torch::Tensor out = forward(from);
    out.square().sum().backward();
    std::vector<torch::Tensor> made = {out.detach(), from.grad()};
    for (const torch::Tensor& parameter : parameters()) made.push_back(parameter.grad());
    return made;
  }
};

TEST(Discriminator, SpectralNormIsTheSameInBothLayoutsAndOnOurKernels) {
  torch::manual_seed(2);
  const torch::Tensor maps = torch::randn({4, 24, 16, 16}).contiguous(torch::MemoryFormat::ChannelsLast);
  for (const int64_t kernel : {4, 3, 1}) {
    Head theirs(kernel, torch::MemoryFormat::Contiguous, Kernels::kTorch);
    const std::vector<torch::Tensor> expected = theirs.pass(maps);
    for (const auto layout : {torch::MemoryFormat::Contiguous, torch::MemoryFormat::ChannelsLast}) {
      Head ours(kernel, layout, Kernels::kAuto);
      const std::vector<torch::Tensor> made = ours.pass(maps);
      ASSERT_EQ(made.size(), expected.size());
      for (size_t i = 0; i < made.size(); ++i)
        EXPECT_LT((made[i] - expected[i]).abs().max().item<double>(),
                  1e-4 * expected[i].abs().max().item<double>())
            << "kernel " << kernel << ", tensor " << i;
      for (const auto& buffer : theirs.named_buffers())  // in PyTorch's order, whatever the layout
        EXPECT_TRUE(torch::allclose(ours.named_buffers()[buffer.key()], buffer.value(), 1e-4, 1e-6))
            << buffer.key();
    }
  }
}

TEST(Discriminator, FrozenHeadsKeepTheirVectors) {
  torch::manual_seed(3);
  const torch::Tensor maps = torch::randn({2, 24, 16, 16});
  Head head(3, torch::MemoryFormat::ChannelsLast, Kernels::kAuto),
      other(3, torch::MemoryFormat::ChannelsLast, Kernels::kTorch);
  for (Head* one : {&head, &other}) {
    one->forward(maps);  // vectors that mean something
    for (torch::Tensor& parameter : one->parameters()) parameter.requires_grad_(false);
  }
  const torch::Tensor before = head.named_buffers()["conv.weight_u"].clone();
  const torch::Tensor from = maps.clone().requires_grad_(), same = maps.clone().requires_grad_();
  head.forward(from).square().sum().backward();
  other.forward(same).square().sum().backward();
  EXPECT_TRUE(torch::equal(before, head.named_buffers()["conv.weight_u"]));
  EXPECT_LT((from.grad() - same.grad()).abs().max().item<double>(),
            1e-4 * same.grad().abs().max().item<double>());
}

TEST(Discriminator, TheSpreadOfGroupsCanBeDerivedTwice) {
  torch::manual_seed(4);
  const torch::Tensor numbers = torch::randn({8, 5, 3, 2}), weights = torch::randn({8, 1, 3, 2});
  std::vector<torch::Tensor> found[2];
  for (const Kernels kernels : {Kernels::kAuto, Kernels::kTorch}) {
    const torch::Tensor maps = numbers.clone().requires_grad_();
    const torch::Tensor spread = group_spread(maps, 4, kernels);
    const torch::Tensor plain =
        torch::autograd::grad({(spread * weights).sum()}, {maps}, {}, /*retain_graph=*/true)[0];
    const torch::Tensor gradient =
        torch::autograd::grad({(spread * weights).sum()}, {maps}, {}, true, /*create_graph=*/true)[0];
    gradient.square().sum().backward();
    found[kernels == Kernels::kAuto ? 0 : 1] = {spread.detach(), plain, gradient.detach(), maps.grad()};
  }
  for (size_t i = 0; i < found[0].size(); ++i)
    EXPECT_TRUE(torch::allclose(found[0][i], found[1][i], 1e-4, 1e-6)) << i;
}

}  // namespace
}  // namespace nowhere
