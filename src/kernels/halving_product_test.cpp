#include "kernels/halving_product.h"

#include <algorithm>

#include "kernels/test_halving.h"
#include "kernels/test_targets.h"
#include "kernels/window_product.h"
#include "kernels/winograd.h"

namespace nowhere {
namespace {

using Pass = void (*)(const HalvingShape& shape, const float* first, const float* second, float* result,
                      const Workers& workers);

// A convolution's three passes.
struct HalvingPasses {
  const char* name;
  Pass halve, double_up, weigh;
};
const HalvingPasses kKernels[] = {{"Winograd", winograd_halve, winograd_double, winograd_weights},
                                  {"windows", window_halve, window_double, window_weights}};

// Sizes that fill tiles, blocks and vectors, and sizes that do not.
const HalvingShape kHalvingShapes[] = {
    {1, 2, 2, 1, 1},     {1, 8, 8, 16, 16}, {2, 8, 8, 3, 5},     {3, 16, 16, 17, 64},
    {2, 7, 9, 5, 3},     {1, 3, 2, 33, 7},  {5, 10, 6, 1, 20},   {70, 8, 8, 4, 6},
    {1, 64, 64, 3, 16},  {1, 9, 17, 65, 2}, {2, 18, 8, 6, 66},   {1, 512, 8, 2, 3},
    {1, 34, 33, 20, 30}, {33, 4, 4, 19, 2}, {2, 16, 24, 130, 1}, {1, 2, 40, 70, 70},
};

HalvingResults run(const HalvingPasses& kernel, const HalvingOperands& in,
                   const Workers& workers = one_worker()) {
  HalvingResults out{Floats(in.small.size()), Floats(in.large.size()), Floats(in.weights.size())};
  kernel.halve(in.shape, in.large.data(), in.weights.data(), out.small.data(), workers);
  kernel.double_up(in.shape, in.small.data(), in.weights.data(), out.large.data(), workers);
  kernel.weigh(in.shape, in.large.data(), in.small.data(), out.weights.data(), workers);
  return out;
}

void expect_exact(const HalvingPasses& kernel, const HalvingOperands& in) {
  const ExactHalving exact(in);
  constexpr double kMost = 1e-4;
  const HalvingResults out = run(kernel, in);
  EXPECT_LT(largest_error(out.small, exact.small), kMost) << kernel.name << ", half, " << text_of(in.shape);
  EXPECT_LT(largest_error(out.large, exact.large), kMost) << kernel.name << ", double, " << text_of(in.shape);
  EXPECT_LT(largest_error(out.weights, exact.weights), kMost)
      << kernel.name << ", weights, " << text_of(in.shape);
}

class HalvingProduct : public TargetTest {};

TEST_P(HalvingProduct, IsTheConvolutionAndItsGradients) {
  for (const HalvingPasses& kernel : kKernels)
    for (const HalvingShape& shape : kHalvingShapes) expect_exact(kernel, HalvingOperands(shape));
}

TEST_P(HalvingProduct, IsTheConvolutionInRandomShapes) {
  Random random(7, Purpose::kSynth);
  for (uint64_t round = 0; round < 12; ++round) {
    const auto size = [&](uint64_t least, uint64_t most) {
      return static_cast<int64_t>(least + random.below(most - least + 1));
    };
    const HalvingShape shape{size(1, 4), size(2, 21), size(2, 21), size(1, 40), size(1, 40)};
    for (const HalvingPasses& kernel : kKernels) expect_exact(kernel, HalvingOperands(shape, 10 * round));
  }
}

TEST_P(HalvingProduct, IsExactForZerosForDenormalsAndForLargeNumbers) {
  for (const HalvingPasses& kernel : kKernels)
    for (const float scale : {0.0f, 1e-39f, 1e4f}) {
      HalvingOperands in({2, 8, 12, 6, 9});
      for (float& number : in.large) number *= scale;
      for (float& number : in.weights) number *= 1e4f;
      for (size_t i = 0; i < in.small.size(); i += 3) in.small[i] *= scale;
      expect_exact(kernel, in);
    }
}

TEST_P(HalvingProduct, HasTheSameBitsForAnyNumberOfThreads) {
  const HalvingOperands in({40, 12, 8, 70, 66});
  for (const HalvingPasses& kernel : kKernels) {
    const HalvingResults alone = run(kernel, in);
    for (const int64_t count : {2, 5}) {
      const HalvingResults shared = run(kernel, in, threads(count));
      EXPECT_EQ(bits_of(shared.small), bits_of(alone.small)) << kernel.name << ", " << count << " threads";
      EXPECT_EQ(bits_of(shared.large), bits_of(alone.large)) << kernel.name << ", " << count << " threads";
      EXPECT_EQ(bits_of(shared.weights), bits_of(alone.weights))
          << kernel.name << ", " << count << " threads";
    }
  }
}

TEST_P(HalvingProduct, GivesAPictureTheSameBitsInAnyBatch) {
  HalvingOperands all({9, 8, 8, 10, 20});
  HalvingOperands last = all;
  last.shape.pictures = 1;
  last.large.erase(last.large.begin(), last.large.end() - last.shape.large_size());
  last.small.erase(last.small.begin(), last.small.end() - last.shape.small_size());
  for (const HalvingPasses& kernel : kKernels) {
    const HalvingResults together = run(kernel, all), alone = run(kernel, last);
    const auto end_of = [](const Floats& numbers, size_t count) {
      return bits_of(std::span(numbers).last(count));
    };
    EXPECT_EQ(end_of(together.small, alone.small.size()), bits_of(alone.small)) << kernel.name;
    EXPECT_EQ(end_of(together.large, alone.large.size()), bits_of(alone.large)) << kernel.name;
  }
}

TEST_P(HalvingProduct, IsNotFiniteWhereItsInputIsNot) {
  const HalvingShape shape{3, 16, 16, 5, 6};
  const size_t large_at = static_cast<size_t>(shape.large_size() / 2),
               small_at = static_cast<size_t>(shape.small_size() / 2);  // in the second of three pictures
  for (const HalvingPasses& kernel : kKernels)
    for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
      HalvingOperands in(shape);
      in.large[large_at] = in.small[small_at] = bad;
      const HalvingResults out = run(kernel, in);
      each_product(shape, [&](size_t l, size_t s, size_t w) {
        if (l == large_at) {
          EXPECT_FALSE(std::isfinite(out.small[s])) << kernel.name;
        }
        if (s == small_at) {
          EXPECT_FALSE(std::isfinite(out.large[l])) << kernel.name;
        }
        if (l == large_at || s == small_at) {
          EXPECT_FALSE(std::isfinite(out.weights[w])) << kernel.name;
        }
      });
      const auto finite = [](float number) { return std::isfinite(number); };
      const auto third = [](const Floats& numbers) { return std::span(numbers).last(numbers.size() / 3); };
      EXPECT_TRUE(std::ranges::all_of(third(out.small), finite)) << kernel.name;
      EXPECT_TRUE(std::ranges::all_of(third(out.large), finite)) << kernel.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, HalvingProduct, every_target(), target_name);

TEST(HalvingKernel, SuitsTheShape) {
  EXPECT_EQ(halving_kernel({64, 64, 64, 3, 64}), HalvingKernel::kWindows);
  EXPECT_EQ(halving_kernel({64, 32, 32, 64, 128}), HalvingKernel::kWinograd);
  EXPECT_EQ(halving_kernel({64, 8, 8, 256, 512}), HalvingKernel::kWinograd);
  EXPECT_EQ(halving_kernel({1, 8, 8, 256, 512}), HalvingKernel::kNone);  // one tile
  EXPECT_EQ(halving_kernel({64, 32, 32, 8, 128}), HalvingKernel::kNone);
  EXPECT_EQ(halving_kernel({64, 32, 32, 64, 1}), HalvingKernel::kNone);
}

TEST(Winograd, WeightsThatAreLaidOutGiveTheSameBits) {
  for (const HalvingShape& shape : kHalvingShapes) {
    const HalvingOperands in(shape);
    const DoublingWeights weights(in.weights, shape.kernels, shape.channels);
    Floats plain(in.large.size()), laid_out(in.large.size());
    winograd_double(shape, in.small.data(), in.weights.data(), plain.data(), one_worker());
    winograd_double(shape, in.small.data(), weights, {}, laid_out.data(), one_worker());
    ASSERT_EQ(plain, laid_out) << text_of(shape);
  }
}

TEST(Winograd, FinishedMapsAreThoseWithBiasAndFloor) {
  const HalvingOperands in({2, 18, 8, 70, 6});
  const DoublingWeights weights(in.weights, in.shape.kernels, in.shape.channels);
  const Floats bias = test_numbers(in.shape.channels, 9);
  Floats plain(in.large.size()), finished(in.large.size());
  winograd_double(in.shape, in.small.data(), in.weights.data(), plain.data(), one_worker());
  winograd_double(in.shape, in.small.data(), weights, {bias.data(), -0.25f}, finished.data(), one_worker());
  for (size_t i = 0; i < plain.size(); ++i)
    ASSERT_EQ(finished[i], std::max(plain[i] + bias[i % bias.size()], -0.25f)) << i;
}

}  // namespace
}  // namespace nowhere
