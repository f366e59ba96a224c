#include "model/halving_convolution.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <array>

#include "model/bf16_matrices.h"

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

torch::Tensor in_bf16(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kBFloat16).to(torch::kDouble);
}

// All factors are rounded to bf16, gradients too, and all sums are float32.
template <class Ours, class Theirs>
void expect_sums_of_rounded_factors(const torch::Tensor& maps, const torch::Tensor& weight, Ours ours,
                                    Theirs theirs) {
  const torch::Tensor made = ours(maps, weight, Factors::kBf16), gradient = torch::randn_like(made);
  const auto gradients = torch::autograd::grad({made}, {maps, weight}, {gradient});
  const torch::Tensor rounded = in_bf16(maps).requires_grad_(), by = in_bf16(weight).requires_grad_(),
                      exact = theirs(rounded, by);
  const auto expected = torch::autograd::grad({exact}, {rounded, by}, {in_bf16(gradient)});
  expect_close(made, exact);
  expect_close(gradients[0], expected[0]);
  expect_close(gradients[1], expected[1]);
}

TEST(HalvingConvolution, ProductsOfBf16AreTheSumsOfRoundedFactors) {
  if (!has_bf16_products()) GTEST_SKIP() << "this CPU has no products of bf16";
  torch::manual_seed(8);
  for (const auto& [pictures, side, channels, kernels] : {std::array<int64_t, 4>{1, 2, 1, 1},
                                                          {3, 8, 7, 5},
                                                          {2, 9, 33, 65},
                                                          {5, 16, 64, 128},
                                                          {1, 64, 16, 17}}) {
    const torch::Tensor weight = random({kernels, channels, 4, 4});
    expect_sums_of_rounded_factors(random({pictures, channels, side, side}), weight, halve_maps, conv);
    expect_sums_of_rounded_factors(random({pictures, kernels, side, side}), weight, double_maps, transposed);
  }
}

TEST(HalvingConvolution, TheNumberOfThreadsDoesNotChangeProductsOfBf16) {
  if (!has_bf16_products()) GTEST_SKIP() << "this CPU has no products of bf16";
  torch::manual_seed(10);
  const torch::Tensor large = random({5, 40, 16, 16}), small = random({5, 36, 8, 8}),
                      weight = random({36, 40, 4, 4});
  const auto all = [&] {
    return std::array{halve_maps(large, weight, Factors::kBf16), double_maps(small, weight, Factors::kBf16),
                      gradient_to_weights(large, small, Factors::kBf16)};
  };
  const int threads = torch::get_num_threads();
  torch::set_num_threads(1);
  const auto one = all();
  torch::set_num_threads(3);
  const auto three = all();
  torch::set_num_threads(threads);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], three[i])) << i;
}

struct CpuAutocast {
  CpuAutocast() {
    at::autocast::set_autocast_enabled(torch::kCPU, true);
    at::autocast::set_autocast_dtype(torch::kCPU, torch::kBFloat16);
  }
  ~CpuAutocast() { at::autocast::set_autocast_enabled(torch::kCPU, false); }
};

TEST(HalvingConvolution, UnderAutocastProductsAreBf16OnMatrixUnits) {
  const CpuAutocast autocast;
  const HalvingKernel many = kernel_to_halve(torch::zeros({2, 256, 8, 8}), torch::zeros({512, 256, 4, 4})),
                      short_maps = kernel_to_double(torch::zeros({2, 512, 4, 4}, torch::kBFloat16),
                                                    torch::zeros({512, 256, 4, 4})),
                      few = kernel_to_halve(torch::zeros({2, 3, 8, 8}), torch::zeros({64, 3, 4, 4}));
  const HalvingKernel float32 =
      float32_kernel_to_halve(torch::zeros({64, 256, 8, 8}), torch::zeros({512, 256, 4, 4}));
  const torch::Tensor made =
      has_bf16_products() ? halve_maps_by(HalvingKernel::kBf16, torch::zeros({2, 32, 8, 8}, torch::kBFloat16),
                                          torch::zeros({16, 32, 4, 4}))
                          : torch::zeros({1});
  const bool there = has_matrix_units();
  EXPECT_EQ(many, there ? HalvingKernel::kBf16 : HalvingKernel::kNone);
  EXPECT_EQ(short_maps, many);
  EXPECT_EQ(few, there ? HalvingKernel::kWindows : HalvingKernel::kNone);
  EXPECT_EQ(float32, HalvingKernel::kWinograd);
  EXPECT_EQ(made.scalar_type(), torch::kFloat);
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
