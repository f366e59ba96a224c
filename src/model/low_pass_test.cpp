#include "model/low_pass.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

struct Smoothed {
  torch::Tensor maps, gradient, second;
};

// A function whose second derivative goes through the filter twice.
Smoothed smoothed(const torch::Tensor& maps, Kernels kernels) {
  const torch::Tensor wanting = maps.clone().requires_grad_();
  const torch::Tensor result = smooth_maps(wanting, kernels);
  const torch::Tensor gradient =
      torch::autograd::grad({result.pow(3).sum()}, {wanting}, {}, /*retain_graph=*/true,
                            /*create_graph=*/true)[0];
  return {result.detach(), gradient.detach(), torch::autograd::grad({gradient.square().sum()}, {wanting})[0]};
}

TEST(LowPass, KernelsAndGradientsAreLibTorchs) {
  torch::manual_seed(1);
  for (const auto layout : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast})
    for (const int64_t side : {2, 5, 32}) {
      const torch::Tensor maps = torch::randn({3, 3, side, side}).contiguous(layout);
      const Smoothed ours = smoothed(maps, Kernels::kAuto), theirs = smoothed(maps, Kernels::kTorch);
      EXPECT_TRUE(torch::allclose(ours.maps, theirs.maps, 1e-5, 1e-6)) << side;
      EXPECT_TRUE(torch::allclose(ours.gradient, theirs.gradient, 1e-4, 1e-5)) << side;
      EXPECT_TRUE(torch::allclose(ours.second, theirs.second, 1e-4, 1e-4)) << side;
    }
}

TEST(LowPass, OtherTypesGoToLibTorch) {
  const torch::Tensor maps = torch::randn({1, 2, 8, 8}, torch::kDouble);
  EXPECT_TRUE(torch::equal(smooth_maps(maps, Kernels::kAuto), smooth_maps(maps, Kernels::kTorch)));
}

}  // namespace
}  // namespace nowhere
