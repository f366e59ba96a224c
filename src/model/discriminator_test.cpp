#include "model/discriminator.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/test_folder.h"
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

// A convolution with spectral norm and a kernel of our own, in one of the two layouts of its weight.
struct HalvingHead : NetworkImpl {
  static NetworkDescription description() {
    NetworkDescription network({24, 16, 16});
    network.add("conv", Convolution{.channels = 32,
                                    .kernel = 4,
                                    .stride = 2,
                                    .padding = 1,
                                    .bias = true,
                                    .spectral_norm = true,
                                    .start = WeightStart::kFanIn});
    return network;
  }
  HalvingHead(torch::MemoryFormat layout, Kernels kernels) : NetworkImpl({description()}, kernels) {
    initialise(*this, 1);
    torch::Tensor weight = named_parameters()["conv.weight_orig"];
    weight.set_data(weight.contiguous(layout));
  }
  torch::Tensor forward(const torch::Tensor& maps) { return run(0, maps); }
};

TEST(Discriminator, SpectralNormIsTheSameInBothLayoutsAndOnOurKernels) {
  torch::manual_seed(2);
  const torch::Tensor maps = torch::randn({4, 24, 16, 16}).contiguous(torch::MemoryFormat::ChannelsLast);
  HalvingHead expected(torch::MemoryFormat::Contiguous, Kernels::kTorch);
  const torch::Tensor out = expected.forward(maps);
  out.square().sum().backward();
  for (const auto layout : {torch::MemoryFormat::Contiguous, torch::MemoryFormat::ChannelsLast}) {
    HalvingHead head(layout, Kernels::kAuto);
    const torch::Tensor same = head.forward(maps);
    same.square().sum().backward();
    EXPECT_TRUE(torch::allclose(same, out, 1e-4, 1e-5));
    for (const auto& buffer : expected.named_buffers())  // in PyTorch's order, whatever the layout
      EXPECT_TRUE(torch::allclose(head.named_buffers()[buffer.key()], buffer.value(), 1e-4, 1e-6))
          << buffer.key();
    for (const auto& parameter : expected.named_parameters()) {
      const torch::Tensor gradient = head.named_parameters()[parameter.key()].grad();
      EXPECT_TRUE(torch::allclose(gradient, parameter.value().grad(), 1e-3, 1e-3)) << parameter.key();
    }
  }
}

}  // namespace
}  // namespace nowhere
