#include "kernels/depthwise.h"

#include <fmt/core.h>

#include "kernels/test_convolution.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

struct DepthwiseCase {
  DepthwiseShape shape;
  ExactConvolution convolution;

  explicit DepthwiseCase(const DepthwiseShape& of) : shape(of) {
    convolution = {.in = of.channels,
                   .out = of.channels,
                   .kernel = of.kernel,
                   .stride = of.stride,
                   .padding = of.padding,
                   .side = of.side,
                   .out_side = of.out_side,
                   .depthwise = true,
                   .weights = test_numbers(of.channels * of.kernel * of.kernel, 1),
                   .bias = test_numbers(of.channels, 2)};
  }

  std::string name() const {
    return fmt::format("{} channels, kernel {}, stride {}, padding {}, {} to {}", shape.channels,
                       shape.kernel, shape.stride, shape.padding, shape.side, shape.out_side);
  }
};

// TensorFlow's SAME, and as much on both sides; sides of less than a strip and less than the kernel.
std::vector<DepthwiseCase> depthwise_cases() {
  std::vector<DepthwiseCase> cases;
  for (const int64_t kernel : {2, 3, 4, 5})
    for (const int64_t stride : {1, 2})
      for (const int64_t side : {1, 2, 4, 7, 8, 16})
        for (const int64_t channels : {1, 16, 21}) {
          const int64_t out = (side + stride - 1) / stride,
                        padding = std::max<int64_t>(0, (out - 1) * stride + kernel - side) / 2;
          cases.emplace_back(DepthwiseShape{channels, kernel, stride, padding, side, out});
          if (side > 4) cases.emplace_back(DepthwiseShape{channels, kernel, stride, kernel / 2, side, out});
        }
  return cases;
}

class DepthwiseTest : public TargetTest {};

TEST_P(DepthwiseTest, ForwardIsTheConvolutionWithBiasAndRelu6) {
  for (const DepthwiseCase& tested : depthwise_cases()) {
    const auto& [shape, convolution] = tested;
    const std::vector<float> in = test_numbers(shape.side * shape.side * shape.channels, 3),
                             bias = padded_row(convolution.bias);
    const Exact expected = convolution.forward(exact(in));
    const Depthwise depthwise(shape, convolution.weights);
    std::vector<float> out(shape.out_side * shape.out_side * padded_channels(shape.channels));
    const std::vector<float> maps = padded_maps(exact(in), shape.channels);
    depthwise.forward(maps.data(), {.bias = bias.data()}, out.data());
    EXPECT_LT(error_of(out, shape.channels, expected), kExactEnough) << tested.name();
    depthwise.forward(maps.data(), {.bias = bias.data(), .relu6 = true}, out.data());
    EXPECT_LT(error_of(out, shape.channels, relu6(expected)), kExactEnough) << tested.name();
  }
}

TEST_P(DepthwiseTest, BackwardIsItsGradient) {
  for (const DepthwiseCase& tested : depthwise_cases()) {
    const auto& [shape, convolution] = tested;
    const std::vector<float> gradient = test_numbers(shape.out_side * shape.out_side * shape.channels, 4);
    const Depthwise depthwise(shape, convolution.weights);
    std::vector<float> out(shape.side * shape.side * padded_channels(shape.channels));
    depthwise.backward(padded_maps(exact(gradient), shape.channels).data(), {}, out.data());
    EXPECT_LT(error_of(out, shape.channels, convolution.backward(exact(gradient))), kExactEnough)
        << tested.name();
  }
}

TEST_P(DepthwiseTest, BitsOfRelu6HoldBackGradients) {
  const DepthwiseCase tested(DepthwiseShape{21, 3, 1, 1, 6, 6});
  const auto& [shape, convolution] = tested;
  const Depthwise depthwise(shape, convolution.weights);
  const std::vector<float> in = padded_maps(exact(test_numbers(36 * 21, 5)), 21);
  std::vector<uint8_t> bits(36 * relu6_bytes(21) + kSpareBitBytes);
  std::vector<float> made(36 * 32), plain(made.size()), held(made.size());
  depthwise.forward(in.data(), {.relu6 = true, .blocked = bits.data()}, made.data());
  depthwise.backward(in.data(), {}, plain.data());
  depthwise.backward(in.data(), {.blocked_by = bits.data()}, held.data());
  for (size_t i = 0; i < made.size(); ++i) {
    if (i % 32 >= 21) continue;
    EXPECT_EQ(held[i], made[i] > 0 && made[i] < 6 ? plain[i] : 0) << i;
  }
}

TEST(DepthwiseShapes, AreSupportedUpToAKernelOfFive) {
  EXPECT_TRUE(Depthwise::supports({.kernel = 5, .stride = 2}));
  EXPECT_FALSE(Depthwise::supports({.kernel = 7, .stride = 1}));
  EXPECT_FALSE(Depthwise::supports({.kernel = 3, .stride = 3}));
  EXPECT_FALSE(Depthwise::supports({.kernel = 1, .stride = 2}));
}

INSTANTIATE_TEST_SUITE_P(Targets, DepthwiseTest, every_target(), target_name);

}  // namespace
}  // namespace nowhere
