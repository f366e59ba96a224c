#include "train/classic.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

struct Networks {
  ModelConfig config{.nz = 16, .ngf = 4, .ndf = 4, .img_size = 32};
  Generator generator{config};
  Discriminator discriminator{config};
  Adam generator_optimizer, discriminator_optimizer;

  explicit Networks(AdamConfig adam = {})
      : generator_optimizer(generator->parameters(), adam),
        discriminator_optimizer(discriminator->parameters(), adam) {
    initialise(*generator, 1);
    initialise(*discriminator, 2);
  }
  StepResult step(const torch::Tensor& real, const torch::Tensor& z) {
    return classic_step(generator, discriminator, generator_optimizer, discriminator_optimizer, real, z);
  }
};

TEST(ClassicStep, DiscriminatorGetsNoGradientsFromTheGeneratorsLoss) {
  torch::manual_seed(1);
  Networks networks;
  const torch::Tensor real = torch::rand({4, 3, 32, 32}), z = torch::randn({4, 16});
  networks.step(real, z);
  // What D holds now are the gradients of its own loss alone: the same as computed by hand.
  Networks by_hand;
  const torch::Tensor fake = by_hand.generator(z).detach();
  const torch::Tensor on_real = by_hand.discriminator(real), on_fake = by_hand.discriminator(fake);
  (torch::softplus(-on_real).mean() + torch::softplus(on_fake).mean()).backward();
  for (const auto& item : networks.discriminator->named_parameters()) {
    EXPECT_TRUE(item.value().requires_grad());
    const torch::Tensor expected = by_hand.discriminator->named_parameters()[item.key()].grad();
    // The loss is spelled differently here, so the last bits differ; G's loss would add as much again.
    EXPECT_LT((item.value().grad() - expected).norm().item<double>(), 1e-3 * expected.norm().item<double>())
        << item.key();
  }
}

TEST(ClassicStep, EachNetworkGetsWhatItWants) {
  torch::manual_seed(0);
  Networks networks;
  const torch::Tensor real = torch::rand({16, 3, 32, 32}) * 0.2 + 0.7, z = torch::randn({16, 16});
  for (int i = 0; i < 20; ++i) {
    const StepResult result = networks.step(real, z);
    // G's update makes D believe in the same fakes more than it did a moment ago.
    const torch::Tensor after = networks.discriminator(networks.generator(z)).sigmoid().mean();
    EXPECT_GT(after.item<double>(), result.d_g_z2.item<double>()) << "step " << i;
  }
  // D's updates tell real from fake.
  const StepResult result = networks.step(real, z);
  EXPECT_GT(result.d_x.item<double>(), result.d_g_z1.item<double>() + 0.1);
}

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
