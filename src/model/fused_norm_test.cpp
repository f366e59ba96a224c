#include "model/fused_norm.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

constexpr int64_t kChannels = 5;

JointBatchNorm new_norm() {
  JointBatchNorm norm{torch::nn::BatchNorm2dOptions(kChannels)};
  const torch::NoGradGuard no_gradients;
  norm->weight.normal_(1, 0.3);
  norm->bias.normal_(0, 0.3);
  return norm;
}

JointBatchNorm copy_of(const JointBatchNorm& norm) {
  JointBatchNorm copy = new_norm();
  const torch::NoGradGuard no_gradients;
  copy->weight.copy_(norm->weight);
  copy->bias.copy_(norm->bias);
  return copy;
}

torch::Tensor apart(JointBatchNorm& norm, const torch::Tensor& maps, double slope) {
  return torch::leaky_relu(norm(maps), slope);
}

void expect_near(const torch::Tensor& ours, const torch::Tensor& theirs, const char* what) {
  ASSERT_EQ(ours.sizes(), theirs.sizes()) << what;
  EXPECT_LT((ours - theirs).abs().max().item<double>(), 1e-4 * (1 + theirs.abs().max().item<double>()))
      << what;
}

torch::Tensor some_maps() {
  return (torch::randn({4, kChannels, 6, 7}) * 2 + 3)
      .contiguous(torch::MemoryFormat::ChannelsLast)
      .requires_grad_();
}

TEST(FusedNorm, IsTheNormAndTheActivationWithTheirGradients) {
  torch::manual_seed(1);
  for (const double slope : {0.0, 0.2}) {
    JointBatchNorm norm = new_norm(), other = copy_of(norm);
    const torch::Tensor maps = some_maps();
    const torch::Tensor ours = norm_and_activate(norm, maps, slope), theirs = apart(other, maps, slope);
    expect_near(ours, theirs, "maps");
    const torch::Tensor weighing = torch::randn_like(theirs);
    const auto gradients = torch::autograd::grad({ours}, {maps, norm->weight, norm->bias}, {weighing});
    const auto expected = torch::autograd::grad({theirs}, {maps, other->weight, other->bias}, {weighing});
    expect_near(gradients[0], expected[0], "gradient to the maps");
    expect_near(gradients[1], expected[1], "gradient to the weight");
    expect_near(gradients[2], expected[2], "gradient to the bias");
  }
}

TEST(FusedNorm, UpdatesTheRunningStatistics) {
  torch::manual_seed(2);
  // Without a momentum they are the mean over all batches, as calibration wants it.
  for (const std::optional<double> momentum : {std::optional(0.1), std::optional<double>()}) {
    JointBatchNorm norm = new_norm(), other = copy_of(norm);
    norm->options.momentum(momentum);
    other->options.momentum(momentum);
    for (int step = 0; step < 3; ++step) {
      const torch::Tensor maps = some_maps();
      norm_and_activate(norm, maps, 0.2);
      other(maps);
    }
    expect_near(norm->running_mean, other->running_mean, "mean");
    expect_near(norm->running_var, other->running_var, "variance");
    EXPECT_EQ(norm->num_batches_tracked.item<int64_t>(), 3);
  }
}

TEST(FusedNorm, CanBeDerivedTwice) {
  torch::manual_seed(3);
  const auto second = [](JointBatchNorm& norm, const torch::Tensor& maps, const auto& function) {
    const torch::Tensor value = function(norm, maps).pow(3).sum();
    const auto first = torch::autograd::grad({value}, {maps}, {}, true, /*create_graph=*/true);
    return torch::autograd::grad({first[0].pow(2).sum()}, {maps, norm->weight});
  };
  JointBatchNorm norm = new_norm(), other = copy_of(norm);
  const torch::Tensor maps = some_maps();
  const auto ours = second(norm, maps, [](auto& n, const auto& m) { return norm_and_activate(n, m, 0.2); });
  const auto theirs = second(other, maps, [](auto& n, const auto& m) { return apart(n, m, 0.2); });
  expect_near(ours[0], theirs[0], "to the maps");
  expect_near(ours[1], theirs[1], "to the weight");
}

TEST(FusedNorm, IsForTrainingOnOneBatch) {
  JointBatchNorm norm = new_norm();
  const torch::Tensor maps = torch::zeros({2, kChannels, 4, 4});
  EXPECT_TRUE(can_fuse_norm(norm, maps));
  EXPECT_FALSE(can_fuse_norm(norm, maps.to(torch::kDouble)));
  EXPECT_FALSE(can_fuse_norm(norm, torch::zeros({1, kChannels, 1, 1})));
  norm->sum_over([](const torch::Tensor& values) { return values; });
  EXPECT_FALSE(can_fuse_norm(norm, maps));
  norm->sum_over({});
  norm->eval();
  EXPECT_FALSE(can_fuse_norm(norm, maps));
}

}  // namespace
}  // namespace nowhere
