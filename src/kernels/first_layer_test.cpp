#include "kernels/first_layer.h"

#include "kernels/test_halving.h"

namespace nowhere {
namespace {

struct FirstOperands {
  int64_t in, out, count;
  Floats vectors = test_numbers(count * in, 1), weights = test_numbers(in * 16 * out, 2),
         bias = test_numbers(out, 3);

  Floats made(const Workers& workers = one_worker()) const {
    Floats maps(static_cast<size_t>(count * 16 * out));
    FirstLayer(weights, bias).make(vectors.data(), count, maps.data(), workers);
    return maps;
  }
};

class FirstLayerProduct : public TargetTest {};

TEST_P(FirstLayerProduct, IsTheProductAtEachPlaceWithBiasAndRelu) {
  for (const auto& [in, out, count] :
       {std::array<int64_t, 3>{1, 1, 1}, {100, 64, 7}, {13, 130, 50}, {32, 5, 3}}) {
    const FirstOperands operands{in, out, count};
    const Floats maps = operands.made();
    for (int64_t i = 0; i < count * 16 * out; ++i) {
      double sum = operands.bias[static_cast<size_t>(i % out)];
      for (int64_t k = 0; k < in; ++k)
        sum += static_cast<double>(operands.vectors[static_cast<size_t>(i / (16 * out) * in + k)]) *
               static_cast<double>(operands.weights[static_cast<size_t>(k * 16 * out + i % (16 * out))]);
      ASSERT_NEAR(maps[static_cast<size_t>(i)], std::max(sum, 0.0), 1e-4) << in << " " << out << ", " << i;
    }
  }
}

TEST_P(FirstLayerProduct, HasTheSameBitsForAnyNumberOfThreadsAndAnyBatch) {
  FirstOperands operands{20, 70, 9};
  const Floats together = operands.made();
  EXPECT_EQ(bits_of(operands.made(threads(3))), bits_of(together));
  operands.count = 1;
  EXPECT_EQ(bits_of(operands.made()), bits_of(std::span(together).first(16 * 70)));
}

INSTANTIATE_TEST_SUITE_P(Targets, FirstLayerProduct, every_target(), target_name);

}  // namespace
}  // namespace nowhere
