#include "device/loss_scaler.h"

#include <gtest/gtest.h>

#include <limits>

namespace nowhere {
namespace {

torch::Tensor gradient(double value) {
  return torch::full({3}, value);
}

TEST(LossScaler, UndoesItsOwnScaling) {
  LossScaler scaler(torch::kCPU, true, {.first_scale = 1024});
  torch::Tensor weight = torch::ones({3}).requires_grad_();
  scaler.scale((weight * 0.5).sum()).backward();
  EXPECT_EQ(weight.grad()[0].item<float>(), 512);
  const torch::Tensor found = scaler.unscale({weight.grad()});
  EXPECT_EQ(weight.grad()[0].item<float>(), 0.5);
  EXPECT_EQ(found.item<float>(), 0);
}

TEST(LossScaler, GrowsAfterEnoughGoodSteps) {
  LossScaler scaler(torch::kCPU, true, {.first_scale = 8, .growth_interval = 3});
  for (int step = 0; step < 3; ++step) {
    EXPECT_EQ(scaler.current().item<float>(), 8);
    scaler.update(scaler.unscale({gradient(1)}));
  }
  EXPECT_EQ(scaler.current().item<float>(), 16);
}

TEST(LossScaler, BacksOffAndStartsCountingAnew) {
  LossScaler scaler(torch::kCPU, true, {.first_scale = 8, .growth_interval = 2});
  scaler.update(scaler.unscale({gradient(1)}));
  for (double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const float before = scaler.current().item<float>();
    const torch::Tensor found = scaler.unscale({gradient(1), gradient(bad)});
    EXPECT_EQ(found.item<float>(), 1);
    scaler.update(found);
    EXPECT_EQ(scaler.current().item<float>(), before / 2);
    EXPECT_EQ(scaler.good_steps().item<int>(), 0);
  }
}

TEST(LossScaler, PassesThroughWhenOff) {
  LossScaler scaler(torch::kCPU, false);
  const torch::Tensor loss = torch::full({}, 3.0);
  EXPECT_TRUE(scaler.scale(loss).is_same(loss));
  EXPECT_FALSE(scaler.unscale({gradient(1)}).defined());
  scaler.update({});
  EXPECT_EQ(scaler.current().item<float>(), 1);
}

}  // namespace
}  // namespace nowhere
