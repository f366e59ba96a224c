#include "train/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace nowhere {
namespace {

TEST(Adam, IsTheFormula) {
  const AdamConfig config{.lr = 0.1, .beta1 = 0.5, .beta2 = 0.9, .weight_decay = 0.05};
  torch::Tensor weight = torch::tensor({1.0, -2.0}, torch::kFloat64).requires_grad_();
  Adam adam({weight}, config);
  double expected = 1.0, m = 0, v = 0;
  for (int t = 1; t <= 5; ++t) {
    adam.zero_grad();
    (weight * weight).sum().backward();
    const double gradient = 2 * expected;
    adam.step();
    expected *= 1 - config.lr * config.weight_decay;
    m = config.beta1 * m + (1 - config.beta1) * gradient;
    v = config.beta2 * v + (1 - config.beta2) * gradient * gradient;
    expected -= config.lr * (m / (1 - std::pow(config.beta1, t))) /
                (std::sqrt(v / (1 - std::pow(config.beta2, t))) + config.epsilon);
    EXPECT_NEAR(weight[0].item<double>(), expected, 1e-9) << "step " << t;
  }
}

// Weights of several shapes, one in channels_last, and what both kernels make of the same gradients.
struct BothKernels {
  std::vector<torch::Tensor> fused, unfused;
  Adam one, other;

  explicit BothKernels(const AdamConfig& config)
      : fused(weights()),
        unfused(weights()),
        one(fused, config, AdamKernel::kFused),
        other(unfused, config, AdamKernel::kUnfused) {}

  static std::vector<torch::Tensor> weights() {
    torch::manual_seed(3);
    std::vector<torch::Tensor> made = {torch::randn({8, 3, 4, 4}).contiguous(at::MemoryFormat::ChannelsLast),
                                       torch::randn({17}), torch::randn({5, 2}), torch::randn({})};
    for (torch::Tensor& weight : made) weight.requires_grad_();
    return made;
  }

  void step(const torch::Tensor& found_infinite = {}) {
    for (size_t i = 0; i < fused.size(); ++i) {
      fused[i].mutable_grad() = torch::randn_like(fused[i]);
      unfused[i].mutable_grad() = fused[i].grad().clone();
    }
    one.step(found_infinite);
    other.step(found_infinite);
  }

  void expect_equal() const {
    for (size_t i = 0; i < fused.size(); ++i) {
      EXPECT_TRUE(torch::allclose(fused[i], unfused[i], 1e-6, 1e-6)) << "weight " << i;
      const AdamMoments &a = one.moments()[i], &b = other.moments()[i];
      EXPECT_TRUE(torch::equal(a.step, b.step)) << "weight " << i;
      EXPECT_TRUE(torch::allclose(a.first, b.first, 1e-6, 1e-6)) << "weight " << i;
      EXPECT_TRUE(torch::allclose(a.second, b.second, 1e-6, 1e-6)) << "weight " << i;
      EXPECT_EQ(fused[i].strides(), unfused[i].strides()) << "weight " << i;
    }
  }
};

TEST(Adam, UnfusedIsTheSame) {
  for (const AdamConfig& config :
       {AdamConfig{.lr = 1e-2}, AdamConfig{.lr = 1e-3, .beta1 = 0, .beta2 = 0.99, .weight_decay = 0}}) {
    BothKernels pair(config);
    for (int step = 0; step < 20; ++step) {
      pair.one.config().lr = pair.other.config().lr = config.lr * (1 - step / 40.0);
      pair.step();
    }
    pair.expect_equal();
    EXPECT_EQ(pair.one.moments()[0].step.item<float>(), 20);
  }
}

TEST(Adam, UnfusedSkipsWhatIsNotFiniteToo) {
  BothKernels pair({.lr = 1e-2});
  for (const float found : {0.0f, 1.0f, 0.0f}) pair.step(torch::tensor(found));
  pair.expect_equal();
  EXPECT_EQ(pair.other.moments()[0].step.item<float>(), 2);
  const torch::Tensor before = pair.unfused[1].detach().clone();
  pair.unfused[1].mutable_grad().fill_(std::numeric_limits<float>::quiet_NaN());
  pair.other.step(torch::ones({}));
  EXPECT_TRUE(torch::equal(pair.unfused[1], before));
}

TEST(Adam, UnfusedLeavesWhatHasNoGradientAlone) {
  BothKernels pair({.lr = 1e-2});
  const torch::Tensor before = pair.unfused[2].detach().clone();
  pair.unfused[0].mutable_grad() = torch::ones_like(pair.unfused[0]);
  pair.other.step();
  EXPECT_TRUE(torch::equal(pair.unfused[2], before));
  EXPECT_EQ(pair.other.moments()[2].step.item<float>(), 0);
  EXPECT_EQ(pair.other.moments()[0].step.item<float>(), 1);
}

TEST(Adam, FusedWhereTheDeviceHasTheOperator) {
  EXPECT_EQ(adam_kernel(torch::kCPU), AdamKernel::kFused);
  // No plugin is loaded here, and it would not have it either.
  EXPECT_EQ(adam_kernel(torch::Device(torch::kHPU, 0)), AdamKernel::kUnfused);
}

}  // namespace
}  // namespace nowhere
