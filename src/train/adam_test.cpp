#include "train/adam.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nowhere {
namespace {

TEST(Adam, IsTheFormula) {
  const AdamConfig config{.lr = 0.1, .beta1 = 0.5, .beta2 = 0.9, .weight_decay = 0.05};
  torch::Tensor weight = torch::tensor({1.0, -2.0}, torch::kFloat64).requires_grad_();
  Adam adam({weight}, config);
  double expected = 1.0, m = 0, v = 0;
  for (int t = 1; t <= 5; ++t) {
    adam.zero_grad();
    (weight * weight).sum().backward();
    const double gradient = 2 * expected;
    adam.step();
    expected *= 1 - config.lr * config.weight_decay;
    m = config.beta1 * m + (1 - config.beta1) * gradient;
    v = config.beta2 * v + (1 - config.beta2) * gradient * gradient;
    expected -= config.lr * (m / (1 - std::pow(config.beta1, t))) /
                (std::sqrt(v / (1 - std::pow(config.beta2, t))) + config.epsilon);
    EXPECT_NEAR(weight[0].item<double>(), expected, 1e-9) << "step " << t;
  }
}

}  // namespace
}  // namespace nowhere
