#include "kernels/stem.h"

#include "kernels/test_convolution.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

struct StemCase {
  StemShape shape;
  ExactConvolution convolution;

  explicit StemCase(const StemShape& of) : shape(of) {
    convolution = {.in = kColours,
                   .out = of.channels,
                   .kernel = of.kernel,
                   .stride = 2,
                   .padding = of.padding,
                   .side = of.side,
                   .out_side = of.out_side(),
                   .weights = test_numbers(of.channels * kColours * of.kernel * of.kernel, 1),
                   .bias = test_numbers(of.channels, 2)};
  }
  Stem stem() const { return {shape, convolution.weights, convolution.bias}; }
};

std::vector<StemCase> stem_cases() {
  std::vector<StemCase> cases;
  for (const int64_t side : {2, 6, 20, 32})
    for (const auto& [kernel, padding] :
         std::vector<std::pair<int64_t, int64_t>>{{3, 0}, {3, 1}, {5, 1}, {2, 0}})
      for (const int64_t channels : {5, 32}) cases.emplace_back(StemShape{side, channels, kernel, padding});
  return cases;
}

class StemTest : public TargetTest {};

TEST_P(StemTest, ForwardIsTheConvolutionOfAPictureInAnyLayout) {
  for (const StemCase& tested : stem_cases()) {
    const int64_t side = tested.shape.side, channels = tested.shape.channels;
    const std::vector<float> picture = test_numbers(side * side * kColours, 3);
    std::vector<float> planes(picture.size());  // [3, side, side]
    for (size_t i = 0; i < picture.size(); ++i)
      planes[i % kColours * side * side + i / kColours] = picture[i];
    const Stem stem = tested.stem();
    const Exact expected = relu6(tested.convolution.forward(exact(picture)));
    std::vector<float> scratch(stem.scratch()),
        out(tested.shape.out_side() * tested.shape.out_side() * padded_channels(channels));
    stem.forward({picture.data(), 1, side * kColours, kColours}, nullptr, scratch.data(), out.data());
    EXPECT_LT(error_of(out, channels, expected), kExactEnough);
    const std::vector<float> first = out;
    stem.forward({planes.data(), side * side, side, 1}, nullptr, scratch.data(), out.data());
    EXPECT_EQ(first, out);
  }
}

TEST_P(StemTest, BackwardIsItsGradient) {
  for (const StemCase& tested : stem_cases()) {
    const int64_t side = tested.shape.side, small = tested.shape.out_side();
    const std::vector<float> gradient = test_numbers(small * small * tested.shape.channels, 4);
    const Stem stem = tested.stem();
    std::vector<float> scratch(stem.scratch()), out(side * side * kColours);
    stem.backward(padded_maps(exact(gradient), tested.shape.channels).data(), scratch.data(), out.data());
    EXPECT_LT(error_of(out, kColours, tested.convolution.backward(exact(gradient))), kExactEnough)
        << side << " px, kernel " << tested.shape.kernel << ", padding " << tested.shape.padding;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, StemTest, every_target(), target_name);

}  // namespace
}  // namespace nowhere
