#include "train/diff_augment.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(DiffAugment, MovesAndFillsWithZeros) {
  const torch::Tensor ones = torch::ones({64, 3, 32, 32});
  const torch::Tensor moved = diff_augment(ones, {.translation = true}, at::detail::createCPUGenerator(1));
  for (int64_t i = 0; i < 64; ++i) {
    const torch::Tensor rows = moved[i][0].sum(1), columns = moved[i][0].sum(0);
    EXPECT_GE((rows > 0).sum().item<int>(), 28);
    EXPECT_GE((columns > 0).sum().item<int>(), 28);
    EXPECT_TRUE(((moved[i] == 0) | (moved[i] == 1)).all().item<bool>());
  }
  EXPECT_LT(moved.sum().item<double>(), ones.sum().item<double>());
}

TEST(DiffAugment, ColoursKeepTheirGradient) {
  const torch::Tensor pictures = torch::rand({4, 3, 16, 16}).requires_grad_();
  const torch::Tensor changed =
      diff_augment(pictures, {.colour = 1, .translation = true}, at::detail::createCPUGenerator(2));
  EXPECT_EQ(changed.sizes(), pictures.sizes());
  changed.sum().backward();
  EXPECT_GT(pictures.grad().abs().sum().item<double>(), 0);
}

// Saturation changes nothing where there is no colour; brightness and contrast remain.
TEST(DiffAugment, GreyPicturesChangeAsColouredOnesWithoutColour) {
  const torch::Tensor grey = torch::rand({8, 1, 16, 16}) * 2 - 1;
  const auto change = [](const torch::Tensor& pictures) {
    return diff_augment(pictures, {.colour = 1, .translation = true}, at::detail::createCPUGenerator(3));
  };
  const torch::Tensor changed = change(grey), coloured = change(grey.expand({8, 3, 16, 16}).contiguous());
  EXPECT_EQ(changed.sizes(), grey.sizes());
  EXPECT_TRUE(torch::allclose(changed.expand({8, 3, 16, 16}), coloured, 1e-5, 1e-5));
  EXPECT_GT((changed - grey).abs().mean().item<double>(), 0.1);
}

TEST(DiffAugment, KernelsChangePicturesAsLibTorchDoes) {
  for (const DiffAugmentConfig& config :
       {DiffAugmentConfig{.colour = 1}, DiffAugmentConfig{.translation = true},
        DiffAugmentConfig{.colour = 0.3, .translation = true}})
    for (const auto layout : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
      const torch::Tensor pictures = (torch::rand({6, 3, 32, 32}) * 2 - 1).contiguous(layout);
      const auto changed = [&](Kernels kernels) {
        DiffAugmentConfig by = config;
        by.kernels = kernels;
        const torch::Tensor wanting = pictures.clone().requires_grad_();
        const torch::Tensor result = diff_augment(wanting, by, at::detail::createCPUGenerator(5));
        (result.square() + result).sum().backward();
        return std::pair(result.detach(), wanting.grad());
      };
      const auto [ours, our_gradient] = changed(Kernels::kAuto);
      const auto [theirs, their_gradient] = changed(Kernels::kTorch);
      EXPECT_TRUE(torch::allclose(ours, theirs, 1e-5, 1e-5));
      EXPECT_TRUE(torch::allclose(our_gradient, their_gradient, 1e-4, 1e-5));
    }
}

TEST(DiffAugment, StrengthIsHowFarColoursMove) {
  const torch::Tensor pictures = torch::rand({64, 3, 8, 8}) * 2 - 1;
  const auto moved = [&](double strength) {
    const torch::Tensor changed =
        diff_augment(pictures, {.colour = strength}, at::detail::createCPUGenerator(4));
    return (changed - pictures).abs().mean().item<double>();
  };
  EXPECT_EQ(moved(0), 0);
  EXPECT_NEAR(moved(0.3) / moved(1), 0.3, 0.05);
}

TEST(DiffAugment, NoiseIsAddedInTheSamePass) {
  for (const auto layout : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    const torch::Tensor pictures = (torch::rand({4, 3, 16, 16}) * 2 - 1).contiguous(layout);
    const torch::Tensor noise = torch::randn_like(pictures);
    const auto changed = [&](Kernels kernels, const torch::Tensor& with) {
      const torch::Tensor wanting = pictures.clone().requires_grad_();
      const torch::Tensor result =
          diff_augment(wanting, {.colour = 1, .translation = true, .kernels = kernels},
                       at::detail::createCPUGenerator(6), with);
      result.square().sum().backward();
      return std::pair(result.detach(), wanting.grad());
    };
    const auto [plain, _] = changed(Kernels::kAuto, {});
    const auto [ours, our_gradient] = changed(Kernels::kAuto, noise.clone());
    const auto [theirs, their_gradient] = changed(Kernels::kTorch, noise.clone());
    EXPECT_TRUE(torch::equal(ours, plain + noise));
    EXPECT_TRUE(torch::allclose(ours, theirs, 1e-5, 1e-5));
    EXPECT_TRUE(torch::allclose(our_gradient, their_gradient, 1e-4, 1e-5));
  }
}

}  // namespace
}  // namespace nowhere
