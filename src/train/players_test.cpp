#include "train/players.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include "train/step.h"

namespace nowhere {
namespace {

// Networks after one step that does not depend on where it is computed.
struct OneStep {
  TrainConfig config;
  Players players;
  StepResult result;

  OneStep(TrainConfig chosen, const torch::Device& device)
      : config(std::move(chosen)), players(config, device, Precision::kFloat32) {
    torch::manual_seed(1);
    const torch::Tensor real = torch::rand({8, 3, 32, 32}) * 2 - 1;
    const GeneratorInput input{torch::randn({8, 16, 1, 1}), {}};
    GanStep step(config, players, device, Precision::kFloat32);
    result = step(real.to(device), input.to(device), 0);
  }

  // D's gradients are compared. Its first update is no more than their sign, which the smallest difference
  // may turn, and what comes after depends on it.
  void expect_gradients_of(const OneStep& other) const {
    const auto mine = players.discriminator.adam.gradients();
    const auto theirs = other.players.discriminator.adam.gradients();
    ASSERT_EQ(mine.size(), theirs.size());
    for (size_t i = 0; i < mine.size(); ++i)
      EXPECT_LT((mine[i].cpu() - theirs[i].cpu()).norm().item<double>(),
                1e-3 * theirs[i].norm().item<double>() + 1e-6)
          << "parameter " << i;
    EXPECT_NEAR(result.d_loss.item<double>(), other.result.d_loss.item<double>(), 1e-4);
    EXPECT_NEAR(result.d_x.item<double>(), other.result.d_x.item<double>(), 1e-4);
  }
};

TrainConfig with_layout(ChannelsLast layout) {
  TrainConfig config;
  config.model = {.nz = 16, .ngf = 4, .ndf = 4, .img_size = 32};
  config.channels_last = layout;
  return config;
}

TEST(Players, LieInMemoryAsAskedFor) {
  const auto layouts = [](ChannelsLast layout) {
    const TrainConfig config = with_layout(layout);
    const Players players(config, torch::kCPU, Precision::kFloat32);
    std::pair<bool, bool> all = {true, true};
    for (const torch::Tensor& weight : players.generator.network->parameters()) {
      if (weight.dim() != 4) continue;
      all.first = all.first && weight.is_contiguous(at::MemoryFormat::ChannelsLast);
      all.second = all.second && weight.is_contiguous();
    }
    return all;
  };
  EXPECT_EQ(layouts(ChannelsLast::kAuto), std::pair(true, false));
  EXPECT_EQ(layouts(ChannelsLast::kYes), std::pair(true, false));
  EXPECT_EQ(layouts(ChannelsLast::kNo), std::pair(false, true));
}

TEST(Players, TheLayoutChangesNoNumbers) {
  const OneStep yes(with_layout(ChannelsLast::kYes), torch::kCPU);
  OneStep(with_layout(ChannelsLast::kNo), torch::kCPU).expect_gradients_of(yes);
}

// What needs a GPU: scripts/test --gpu.
class GpuStep : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU is present";
    // Full float32, to be compared with the CPU.
    at::globalContext().setAllowTF32CuDNN(false);
    at::globalContext().setAllowTF32CuBLAS(false);
  }

  const torch::Device gpu_{torch::kCUDA, 0};
};

TEST_F(GpuStep, EqualsTheCpus) {
  const OneStep cpu(with_layout(ChannelsLast::kAuto), torch::kCPU);
  OneStep(with_layout(ChannelsLast::kAuto), gpu_).expect_gradients_of(cpu);
}

TEST_F(GpuStep, TheLayoutChangesNoNumbers) {
  const OneStep yes(with_layout(ChannelsLast::kYes), gpu_);
  OneStep(with_layout(ChannelsLast::kNo), gpu_).expect_gradients_of(yes);
}

TEST_F(GpuStep, LearnsInHalfPrecisionToo) {
  for (const Precision precision : {Precision::kFp16, Precision::kBf16}) {
    const TrainConfig config = with_layout(ChannelsLast::kAuto);
    Players players(config, gpu_, precision);
    GanStep step(config, players, gpu_, precision);
    const torch::Tensor real = (torch::rand({8, 3, 32, 32}) * 0.2 + 0.7).to(gpu_);
    StepResult result;
    for (uint64_t number = 0; number < 60; ++number)
      result = step(real, GeneratorInput{torch::randn({8, 16, 1, 1}), {}}.to(gpu_), number);
    EXPECT_GT(result.d_x.item<double>(), result.d_g_z1.item<double>());
  }
}

TEST_F(GpuStep, FusedAdamIsTheUnfused) {
  EXPECT_EQ(adam_kernel(gpu_), AdamKernel::kFused);
  torch::manual_seed(2);
  const torch::Tensor begin = torch::randn({16, 8, 4, 4}, torch::TensorOptions(gpu_));
  torch::Tensor fused = begin.clone().requires_grad_(), unfused = begin.clone().requires_grad_();
  Adam one({fused}, {.lr = 1e-2}, AdamKernel::kFused), other({unfused}, {.lr = 1e-2}, AdamKernel::kUnfused);
  for (int number = 0; number < 20; ++number) {
    fused.mutable_grad() = torch::randn_like(begin);
    unfused.mutable_grad() = fused.grad().clone();
    one.step();
    other.step();
  }
  EXPECT_TRUE(torch::allclose(fused, unfused, 1e-5, 1e-6));
}

}  // namespace
}  // namespace nowhere
