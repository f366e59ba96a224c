#include "kernels/normalisation.h"

#include <algorithm>

#include "kernels/test_targets.h"

namespace nowhere {
namespace {

const RowsShape kRowShapes[] = {{1, 1}, {2, 16}, {255, 3}, {256, 17}, {700, 5}, {1030, 64}};

std::span<const float> column(const std::vector<float>& numbers) {
  return numbers;
}

// Backwards, so that the order of jobs shows if it matters.
Workers backwards() {
  return {1, [](int64_t jobs, const Job& job) {
            for (int64_t i = jobs; i-- > 0;) job(i, 0);
          }};
}

struct NormOperands {
  RowsShape shape;
  std::vector<float> maps, gradient, mean, scale, bias, slant, shift;

  explicit NormOperands(const RowsShape& of)
      : shape(of),
        maps(test_numbers(of.rows * of.channels, 1)),
        gradient(test_numbers(of.rows * of.channels, 2)),
        mean(test_numbers(of.channels, 3)),
        scale(test_numbers(of.channels, 4)),
        bias(test_numbers(of.channels, 5)),
        slant(test_numbers(of.channels, 6)),
        shift(test_numbers(of.channels, 7)) {}

  Normalisation by(float slope) const { return {column(mean), column(scale), column(bias), slope}; }
  double centred(size_t i) const { return maps[i] - double{mean[i % mean.size()]}; }
  double normalised(size_t i) const { return centred(i) * scale[i % mean.size()] + bias[i % mean.size()]; }
  double gradient_before(size_t i, double slope) const {
    return normalised(i) < 0 ? gradient[i] * slope : gradient[i];
  }
};

class Normalising : public TargetTest {};

TEST_P(Normalising, MeasuresMeanAndVariance) {
  for (const RowsShape& shape : kRowShapes) {
    std::vector<float> maps = test_numbers(shape.rows * shape.channels, 1);
    for (float& number : maps) number += 100;  // whose squares a sum of floats would not hold
    const auto channels = static_cast<size_t>(shape.channels);
    std::vector<float> mean(channels), variance(channels);
    measure_rows(shape, maps.data(), mean, variance, one_worker());
    for (size_t c = 0; c < channels; ++c) {
      double sum = 0, squares = 0;
      const auto rows = static_cast<double>(shape.rows);
      for (size_t i = c; i < maps.size(); i += channels) sum += maps[i];
      for (size_t i = c; i < maps.size(); i += channels) squares += std::pow(maps[i] - sum / rows, 2);
      EXPECT_NEAR(mean[c], sum / rows, 1e-5 * 100);
      EXPECT_NEAR(variance[c], squares / rows, 1e-4 * (squares / rows) + 1e-9);
    }
    std::vector<float> mean_again(channels), variance_again(channels);
    measure_rows(shape, maps.data(), mean_again, variance_again, backwards());
    EXPECT_EQ(bits_of(mean_again), bits_of(mean));
    EXPECT_EQ(bits_of(variance_again), bits_of(variance));
  }
}

TEST_P(Normalising, ScalesAndActivates) {
  for (const RowsShape& shape : kRowShapes)
    for (const float slope : {0.0f, 0.2f, 1.0f}) {
      const NormOperands in(shape);
      std::vector<float> result(in.maps.size());
      normalise_rows(shape, in.maps.data(), in.by(slope), result.data(), one_worker());
      for (size_t i = 0; i < result.size(); ++i) {
        const double v = in.normalised(i);
        ASSERT_NEAR(result[i], v < 0 ? v * slope : v, 1e-5) << i;
      }
    }
}

TEST_P(Normalising, KeepsWhatIsNotANumber) {
  NormOperands in({3, 5});
  in.maps[7] = std::nanf("");
  std::vector<float> result(in.maps.size());
  normalise_rows(in.shape, in.maps.data(), in.by(0), result.data(), one_worker());
  for (size_t i = 0; i < result.size(); ++i) EXPECT_EQ(std::isnan(result[i]), i == 7);
  std::vector<float> mean(5), variance(5);
  measure_rows(in.shape, in.maps.data(), mean, variance, one_worker());
  for (size_t c = 0; c < mean.size(); ++c) EXPECT_EQ(std::isnan(mean[c]) && std::isnan(variance[c]), c == 2);
}

TEST_P(Normalising, SumsAndCarriesGradients) {
  for (const RowsShape& shape : kRowShapes)
    for (const float slope : {0.0f, 0.2f}) {
      const NormOperands in(shape);
      const auto channels = static_cast<size_t>(shape.channels);
      std::vector<float> sum(channels), products(channels), again(channels), products_again(channels);
      sum_gradients(shape, in.maps.data(), in.gradient.data(), in.by(slope), sum, products, one_worker());
      sum_gradients(shape, in.maps.data(), in.gradient.data(), in.by(slope), again, products_again,
                    backwards());
      EXPECT_EQ(bits_of(again), bits_of(sum));
      EXPECT_EQ(bits_of(products_again), bits_of(products));
      std::vector<float> result(in.maps.size());
      gradient_to_rows(shape, in.maps.data(), in.gradient.data(), in.by(slope), in.slant, in.shift,
                       result.data(), one_worker());
      std::vector<double> exact(channels), exact_products(channels);
      for (size_t i = 0; i < result.size(); ++i) {
        const size_t c = i % channels;
        const double g = in.gradient_before(i, slope);
        exact[c] += g;
        exact_products[c] += g * in.centred(i);
        ASSERT_NEAR(result[i], g * in.scale[c] + in.centred(i) * in.slant[c] + in.shift[c], 1e-4) << i;
      }
      for (size_t c = 0; c < channels; ++c) {
        EXPECT_NEAR(sum[c], exact[c], 1e-3);
        EXPECT_NEAR(products[c], exact_products[c], 1e-3);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Normalising, every_target(), target_name);

}  // namespace
}  // namespace nowhere
