#include "model/halving_convolution.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

constexpr int64_t kPictures = 3, kSmall = 5, kLarge = 7;  // channels: uneven, so that none are mixed up

torch::Tensor random(std::vector<int64_t> shape) {
  return torch::randn(shape).contiguous(torch::MemoryFormat::ChannelsLast).requires_grad_();
}

void expect_close(const torch::Tensor& ours, const torch::Tensor& theirs) {
  ASSERT_EQ(ours.sizes(), theirs.sizes());
  EXPECT_LT((ours - theirs).abs().max().item<double>(), 1e-4 * (1 + theirs.abs().max().item<double>()));
}

template <class Ours, class Theirs>
void expect_same_function(const torch::Tensor& maps, const torch::Tensor& weight, Ours ours, Theirs theirs) {
  const torch::Tensor expected = theirs(maps, weight), result = ours(maps, weight);
  expect_close(result, expected);
  const torch::Tensor weighing = torch::randn_like(expected);
  const auto gradients = torch::autograd::grad({result}, {maps, weight}, {weighing});
  const auto references = torch::autograd::grad({expected}, {maps, weight}, {weighing});
  expect_close(gradients[0], references[0]);
  expect_close(gradients[1], references[1]);
  EXPECT_TRUE(gradients[1].is_contiguous(torch::MemoryFormat::ChannelsLast));
}

// As R1 needs it: the derivative of the squared gradient.
template <class Function>
torch::Tensor second_derivative(const torch::Tensor& maps, const torch::Tensor& weight, Function function) {
  const torch::Tensor value = function(maps, weight).pow(2).sum();
  const auto first = torch::autograd::grad({value}, {maps}, {}, true, /*create_graph=*/true);
  return torch::autograd::grad({first[0].pow(2).sum()}, {weight})[0];
}

const auto halve = [](const torch::Tensor& m, const torch::Tensor& w) { return halve_maps(m, w); };
const auto conv = [](const torch::Tensor& m, const torch::Tensor& w) {
  return torch::conv2d(m, w, {}, 2, 1);
};
const auto twice = [](const torch::Tensor& m, const torch::Tensor& w) { return double_maps(m, w); };
const auto transposed = [](const torch::Tensor& m, const torch::Tensor& w) {
  return torch::conv_transpose2d(m, w, {}, 2, 1);
};

TEST(HalvingConvolution, HalvesAsLibTorchDoes) {
  torch::manual_seed(1);
  for (int64_t side : {2, 4, 8, 16})
    expect_same_function(random({kPictures, kLarge, side, side}), random({kSmall, kLarge, 4, 4}), halve,
                         conv);
}

TEST(HalvingConvolution, DoublesAsLibTorchDoes) {
  torch::manual_seed(2);
  for (int64_t side : {1, 2, 4, 8})
    expect_same_function(random({kPictures, kSmall, side, side}), random({kSmall, kLarge, 4, 4}), twice,
                         transposed);
}

TEST(HalvingConvolution, OtherLayoutsAreTaken) {
  torch::manual_seed(3);
  const torch::Tensor maps = torch::randn({2, 6, 8, 8}).requires_grad_();
  const torch::Tensor weight = torch::randn({4, 6, 4, 4}).requires_grad_();
  expect_close(halve(maps, weight), conv(maps, weight));
  const torch::Tensor small = torch::randn({2, 4, 4, 4});
  expect_close(twice(small, weight), transposed(small, weight));
}

TEST(HalvingConvolution, CanBeDerivedTwice) {
  torch::manual_seed(4);
  const torch::Tensor maps = random({2, 3, 8, 8}), weight = random({4, 3, 4, 4});
  expect_close(second_derivative(maps, weight, halve), second_derivative(maps, weight, conv));
  const torch::Tensor small = random({2, 4, 4, 4});
  expect_close(second_derivative(small, weight, twice), second_derivative(small, weight, transposed));
}

TEST(HalvingConvolution, WhatFollowsMayWorkInPlace) {
  torch::manual_seed(5);
  const torch::Tensor maps = random({2, 3, 8, 8}), weight = random({4, 3, 4, 4}),
                      small = random({2, 4, 4, 4});
  const auto in_place = [](const auto& function) {
    return [&function](const torch::Tensor& m, const torch::Tensor& w) {
      torch::Tensor result = function(m, w);
      return result.relu_();
    };
  };
  expect_same_function(maps, weight, in_place(halve), in_place(conv));
  expect_same_function(small, weight, in_place(twice), in_place(transposed));
}

TEST(HalvingConvolution, FrozenWeightsGetNoGradient) {
  const torch::Tensor maps = random({2, 3, 8, 8}), weight = torch::randn({4, 3, 4, 4});
  halve(maps, weight).sum().backward();
  EXPECT_TRUE(maps.grad().defined());
  EXPECT_FALSE(weight.grad().defined());
}

TEST(HalvingConvolution, OddSizesAreTaken) {
  torch::manual_seed(6);
  for (int64_t side : {3, 7, 9})
    expect_same_function(random({kPictures, kLarge, side, side + 2}), random({kSmall, kLarge, 4, 4}), halve,
                         conv);
}

TEST(HalvingConvolution, GivesTheSameByEachKernel) {
  torch::manual_seed(7);
  for (const int64_t channels : {3, 40}) {  // windows, Winograd
    const torch::Tensor maps = random({8, channels, 16, 16}), weight = random({36, channels, 4, 4}),
                        small = random({8, 36, 8, 8});
    expect_same_function(maps, weight, halve, conv);
    expect_same_function(small, weight, twice, transposed);
  }
}

TEST(HalvingConvolution, HasAKernelForFloatsOnTheCpu) {
  const torch::Tensor weight = torch::zeros({512, 256, 4, 4}), maps = torch::zeros({64, 256, 8, 8}),
                      small = torch::zeros({64, 512, 4, 4});
  EXPECT_EQ(kernel_to_halve(maps, weight), HalvingKernel::kWinograd);
  EXPECT_EQ(kernel_to_double(small, weight), HalvingKernel::kWinograd);
  EXPECT_EQ(kernel_to_halve(torch::zeros({1, 3, 8, 8}), torch::zeros({64, 3, 4, 4})),
            HalvingKernel::kWindows);
  EXPECT_EQ(kernel_to_halve(maps.to(torch::kDouble), weight), HalvingKernel::kNone);
  EXPECT_EQ(kernel_to_double(small.to(torch::kDouble), weight), HalvingKernel::kNone);
  EXPECT_EQ(kernel_to_halve(torch::zeros({2, 256, 8, 8}), weight), HalvingKernel::kNone);
}

}  // namespace
}  // namespace nowhere
