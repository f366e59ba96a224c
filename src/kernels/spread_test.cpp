#include "kernels/spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace nowhere {
namespace {

std::vector<float> maps_of(const GroupShape& shape) {
  std::vector<float> maps(static_cast<size_t>(shape.groups * shape.pictures * shape.numbers));
  for (size_t i = 0; i < maps.size(); ++i)
    maps[i] = static_cast<float>(static_cast<int>(i * 2654435761u % 2001) - 1000) / 500;
  return maps;
}

// By the definition, in double precision.
double spread_of(const GroupShape& shape, const std::vector<float>& maps, int64_t group) {
  double total = 0;
  for (int64_t n = 0; n < shape.numbers; ++n) {
    double mean = 0, variance = 0;
    const auto at = [&](int64_t i) {
      return maps[static_cast<size_t>((group * shape.pictures + i) * shape.numbers + n)];
    };
    for (int64_t i = 0; i < shape.pictures; ++i) mean += at(i) / static_cast<double>(shape.pictures);
    for (int64_t i = 0; i < shape.pictures; ++i)
      variance += (at(i) - mean) * (at(i) - mean) / static_cast<double>(shape.pictures);
    total += std::sqrt(variance + 1e-8);
  }
  return total / static_cast<double>(shape.numbers);
}

const GroupShape kGroupShapes[] = {{3, 4, 130}, {1, 2, 64}, {2, 5, 7}, {2, 1, 9}};

TEST(Spread, IsTheMeanOfDeviations) {
  for (const GroupShape& shape : kGroupShapes) {
    const std::vector<float> maps = maps_of(shape);
    std::vector<float> spreads(static_cast<size_t>(shape.groups));
    measure_spreads(shape, maps.data(), spreads, one_worker());
    for (int64_t g = 0; g < shape.groups; ++g)
      EXPECT_NEAR(spreads[static_cast<size_t>(g)], spread_of(shape, maps, g), 1e-6);
  }
}

TEST(Spread, GradientIsThatOfDifferences) {
  const GroupShape shape{2, 4, 70};
  std::vector<float> maps = maps_of(shape), made(maps.size());
  const std::vector<float> gradient = {2, -3};
  gradient_of_spreads(shape, maps.data(), gradient, made.data(), one_worker());
  for (const size_t i : {0u, 69u, 71u, 279u, 280u, 300u, 559u}) {
    const float kept = maps[i];
    double sums[2] = {};
    for (const int side : {0, 1}) {
      maps[i] = kept + (side == 0 ? -1e-2f : 1e-2f);
      for (int64_t g = 0; g < shape.groups; ++g)
        sums[side] += gradient[static_cast<size_t>(g)] * spread_of(shape, maps, g);
    }
    maps[i] = kept;
    EXPECT_NEAR(made[i], (sums[1] - sums[0]) / 2e-2, 1e-4) << i;
  }
}

TEST(Spread, EqualPicturesHaveNoGradient) {
  const GroupShape shape{1, 3, 5};
  const std::vector<float> maps(15, 0.5f), gradient = {1};
  std::vector<float> made(15, 9);
  gradient_of_spreads(shape, maps.data(), gradient, made.data(), one_worker());
  EXPECT_EQ(made, std::vector<float>(15, 0));
}

}  // namespace
}  // namespace nowhere
