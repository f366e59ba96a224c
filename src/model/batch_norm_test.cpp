#include "model/batch_norm.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

double relative_difference(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found - expected).norm() / expected.norm()).item<double>();
}

// With one process the sums are its own, so everything must be as LibTorch's own batch norm has it.
TEST(JointBatchNorm, IsBatchNormWhereThereIsOneProcess) {
  torch::manual_seed(3);
  const auto options = torch::nn::BatchNorm2dOptions(5);
  JointBatchNorm joint(options);
  torch::nn::BatchNorm2d plain(options);
  joint->sum_over([](const torch::Tensor& values) { return values; });
  for (int step = 0; step < 3; ++step) {
    const torch::Tensor maps = torch::randn({4, 5, 6, 6}) * 3 + 100;  // far from 0: digits must not be lost
    torch::Tensor a = maps.clone().requires_grad_(), b = maps.clone().requires_grad_();
    const torch::Tensor weights = torch::randn_like(maps);
    const torch::Tensor found = joint->forward(a), expected = plain->forward(b);
    EXPECT_LT(relative_difference(found, expected), 1e-4);
    (found * weights).sum().backward();
    (expected * weights).sum().backward();
    EXPECT_LT(relative_difference(a.grad(), b.grad()), 1e-4);
  }
  EXPECT_LT(relative_difference(joint->weight.grad(), plain->weight.grad()), 1e-4);
  EXPECT_LT(relative_difference(joint->bias.grad(), plain->bias.grad()), 1e-5);
  EXPECT_LT(relative_difference(joint->running_mean, plain->running_mean), 1e-5);
  EXPECT_LT(relative_difference(joint->running_var, plain->running_var), 1e-4);
  EXPECT_EQ(joint->num_batches_tracked.item<int64_t>(), 3);
  joint->eval();
  plain->eval();
  const torch::Tensor maps = torch::randn({2, 5, 3, 3});
  EXPECT_LT(relative_difference(joint->forward(maps), plain->forward(maps)), 1e-5);
}

}  // namespace
}  // namespace nowhere
