#include "train/step.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/test_folder.h"
#include "model/test_features.h"
#include "train/ema.h"
#include "train/snapshot.h"

namespace nowhere {
namespace {

TrainConfig small(const std::string& recipe) {
  TrainConfig config;
  config.model = {.nz = 16, .ngf = 4, .ndf = 4, .img_size = 32};
  apply_recipe(config, recipe);
  return config;
}

GeneratorInput noise(int64_t count) {
  return {torch::randn({count, 16, 1, 1}), {}};
}

struct Game {
  TrainConfig config;
  Players players;
  GanStep step;
  explicit Game(TrainConfig c)
      : config(std::move(c)),
        players(config, torch::kCPU, Precision::kFloat32),
        step(config, players, torch::kCPU, Precision::kFloat32) {}
};

TEST(Step, DiscriminatorGetsNoGradientsFromTheGeneratorsLoss) {
  torch::manual_seed(1);
  Game game(small("classic")), by_hand(small("classic"));
  const torch::Tensor real = torch::rand({4, 3, 32, 32});
  const GeneratorInput z = noise(4);
  game.step(real, z, 0);
  Discriminator& d = by_hand.players.discriminator.network;
  const torch::Tensor on_real = d(real), on_fake = d(by_hand.players.generator.network(z).detach());
  (torch::softplus(-on_real).mean() + torch::softplus(on_fake).mean()).backward();
  const auto expected = d->named_parameters();
  for (const auto& item : game.players.discriminator.network->named_parameters()) {
    EXPECT_TRUE(item.value().requires_grad());
    const torch::Tensor gradient = expected[item.key()].grad();
    // The loss is spelled differently here, so the last bits differ; G's loss would add as much again.
    EXPECT_LT((item.value().grad() - gradient).norm().item<double>(), 1e-3 * gradient.norm().item<double>())
        << item.key();
  }
}

TEST(Step, EachNetworkGetsWhatItWants) {
  for (const std::string& loss : loss_names()) {
    torch::manual_seed(0);
    TrainConfig config = small(loss == "bce" ? "classic" : "streets");
    config.loss = loss;
    Game game(config);
    const torch::Tensor real = torch::rand({16, 3, 32, 32}) * 0.2 + 0.7;
    const GeneratorInput z = noise(16);
    StepResult result;
    for (uint64_t i = 0; i < 60; ++i) result = game.step(real, z, i);
    // D's updates tell real from fake, and G's raise D's belief in the same fakes.
    SCOPED_TRACE(loss);
    EXPECT_GT(result.d_x.item<double>(), result.d_g_z1.item<double>());
    const torch::Tensor after =
        game.players.discriminator.network(game.players.generator.network(z)).sigmoid().mean();
    EXPECT_GT(after.item<double>(), result.d_g_z2.item<double>());
  }
}

TEST(Step, TrainsOnOneChannel) {
  TrainConfig config = small("streets");
  config.model.nc = 1;
  config.diff_colour = config.diff_translation = true;
  config.r1_gamma = 1;
  Game game(config);
  const StepResult result = game.step(torch::rand({8, 1, 32, 32}), noise(8), 0);
  EXPECT_EQ(result.fake.sizes().vec(), (std::vector<int64_t>{8, 1, 32, 32}));
  EXPECT_TRUE(std::isfinite(result.d_loss.item<double>()));
}

TEST(Step, IsAFunctionOfItsNumber) {
  TrainConfig config = small("streets");
  config.diff_colour = config.diff_translation = true;
  config.instance_noise = 0.05;
  config.r1_gamma = 1;
  const torch::Tensor real = torch::rand({8, 3, 32, 32});
  const GeneratorInput z = noise(8);
  Game a(config), b(config), c(config);
  const double first = a.step(real, z, 3).d_loss.item<double>();
  EXPECT_EQ(first, b.step(real, z, 3).d_loss.item<double>());
  EXPECT_NE(first, c.step(real, z, 4).d_loss.item<double>());
}

TEST(Step, SyncedAugmentationChangesARealAndAFakeInTheSameWay) {
  TrainConfig config = small("streets");
  config.diff_colour = config.diff_translation = true;
  for (const bool synced : {true, false}) {
    config.diff_synced = synced;
    Game game(config);
    const GeneratorInput z = noise(8);
    {
      const torch::NoGradGuard no_gradients;  // a new D says nearly the same to all pictures
      for (torch::Tensor& parameter : game.players.discriminator.network->parameters()) parameter.mul_(5);
    }
    const torch::Tensor real = game.players.generator.network(z).detach();
    const StepResult result = game.step(real, z, 0);
    const double difference = std::abs(result.d_x.item<double>() - result.d_g_z1.item<double>());
    EXPECT_EQ(difference < 1e-5, synced) << difference;
  }
}

// The streets recipe as it is with a frozen network, on a tiny one.
class FrozenStep : public ::testing::Test {
 protected:
  FrozenStep() {
    TinyEfficientNet().write(folder_.path() / "net.pth");
    config_ = small("streets");
    config_.model.img_size = 64;
    config_.model.d_pixels = false;
    config_.model.d_thumbnail = 16;
    config_.model.d_heads = 8;
    config_.model.d_group = 4;
    config_.features = (folder_.path() / "net.pth").string();
    config_.diff_colour = config_.diff_translation = true;
    config_.diff_strength = 0.3;
    config_.r1_gamma = 1;
    config_.lr = 1e-3;
  }

  TestFolder folder_;
  TrainConfig config_;
};

TEST_F(FrozenStep, EachNetworkGetsWhatItWants) {
  for (const char* loss : {"hinge", "relativistic"}) {
    torch::manual_seed(0);
    config_.head_loss = loss;
    Game game(config_);
    const torch::Tensor real = torch::rand({16, 3, 64, 64}) * 0.2 + 0.7;
    const GeneratorInput z = noise(16);
    StepResult result;
    for (uint64_t i = 0; i < 40; ++i) result = game.step(real, z, i);
    SCOPED_TRACE(loss);
    EXPECT_GT(result.d_x.item<double>(), result.d_g_z1.item<double>());
    const torch::Tensor after =
        game.players.discriminator.network(game.players.generator.network(z)).sigmoid().mean();
    EXPECT_GT(after.item<double>(), result.d_g_z2.item<double>());
  }
}

TEST_F(FrozenStep, LeavesTheFrozenNetworkAlone) {
  Game game(config_);
  const torch::Tensor pictures = torch::rand({8, 3, 64, 64});
  const torch::Tensor before = (*game.players.frozen)(pictures)[2];
  game.step(pictures, noise(8), 0);
  EXPECT_TRUE(torch::equal(before, (*game.players.frozen)(pictures)[2]));
  // Every part of D has learnt, the heads and the thumbnails' network alike.
  for (const auto& item : game.players.discriminator.network->named_parameters())
    EXPECT_TRUE(item.value().grad().defined()) << item.key();
}

TEST_F(FrozenStep, IsAFunctionOfItsNumberAndOfAllThatIsSaved) {
  Game a(config_), b(config_);
  const torch::Tensor real = torch::rand({8, 3, 64, 64});
  const GeneratorInput z = noise(8);
  for (uint64_t i = 0; i < 3; ++i) a.step(real, z, i);
  EpochData data;
  TrainProgress progress{.step = 3, .planned_steps = 70};
  const Value saved = make_snapshot(
      {a.players, progress, "dcgan", "{}", data, torch::zeros({64, 16, 1, 1}), PictureHistory()});
  const Restored restored = restore_snapshot(saved, b.players, config_.model, "a checkpoint");
  EXPECT_EQ(restored.progress.planned_steps, 70u);
  EXPECT_EQ(a.step(real, z, 3).d_loss.item<double>(), b.step(real, z, 3).d_loss.item<double>());
  for (const auto& item : a.players.generator.network->named_parameters())
    EXPECT_TRUE(torch::equal(item.value(), b.players.generator.network->named_parameters()[item.key()]))
        << item.key();
}

TEST_F(FrozenStep, ACheckpointOfAnotherNetworkIsRefused) {
  Game game(config_);
  const Value saved = make_snapshot({game.players, TrainProgress(), "dcgan", "{}", EpochData(),
                                     torch::zeros({64, 16, 1, 1}), PictureHistory()});
  TinyEfficientNet other;
  other.tensors["_conv_stem.weight"] *= 2;
  other.write(folder_.path() / "other.pth");
  config_.features = (folder_.path() / "other.pth").string();
  Game changed(config_);
  try {
    restore_snapshot(saved, changed.players, config_.model, "a checkpoint");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("a checkpoint was trained through net"), 0u) << error.what();
  }
}

TEST_F(FrozenStep, GreyPicturesAndAPixelDiscriminatorBesideIt) {
  config_.model.nc = 1;
  config_.model.d_pixels = true;
  Game game(config_);
  EXPECT_TRUE(std::isfinite(game.step(torch::rand({8, 1, 64, 64}), noise(8), 0).d_loss.item<double>()));
}

// Sums and weights stay float32, so that a step in bf16 is nearly the same.
TEST(Step, ProductsInBf16ChangeAStepLittle) {
  TrainConfig config = small("classic");
  config.model = {.nz = 16, .ngf = 16, .ndf = 16, .img_size = 32};
  const torch::Tensor real = torch::rand({16, 3, 32, 32}) * 2 - 1;
  const GeneratorInput z = noise(16);
  const auto losses = [&](Precision precision) {
    Players players(config, torch::kCPU, precision);
    GanStep step(config, players, torch::kCPU, precision);
    const StepResult result = step(real, z, 0);
    return std::pair(result.d_loss.item<double>(), result.g_loss.item<double>());
  };
  const auto exact = losses(Precision::kFloat32), rough = losses(Precision::kBf16);
  EXPECT_NE(rough.first, exact.first);
  EXPECT_NEAR(rough.first, exact.first, 0.02 * exact.first);
  EXPECT_NEAR(rough.second, exact.second, 0.02 * exact.second);
}

TEST(Step, ClippingBoundsTheGradient) {
  TrainConfig config = small("classic");
  config.clip_gradients = 1e-3;
  Game game(config);
  game.step(torch::rand({8, 3, 32, 32}), noise(8), 0);
  double squares = 0;
  for (const torch::Tensor& gradient : game.players.generator.adam.gradients())
    squares += gradient.square().sum().item<double>();
  EXPECT_LE(std::sqrt(squares), 1.001e-3);
}

TEST(Step, AnInfiniteGradientIsSkipped) {
  torch::Tensor weight = torch::ones({2}).requires_grad_();
  Adam adam({weight}, {.lr = 0.1});
  weight.mutable_grad() = torch::full({2}, std::numeric_limits<float>::infinity());
  LossScaler scaler(torch::kCPU, true);
  const torch::Tensor found = scaler.unscale(adam.gradients());
  adam.step(found);
  EXPECT_EQ(weight[0].item<float>(), 1);
  EXPECT_EQ(adam.moments()[0].step.item<float>(), 0);
  weight.mutable_grad() = torch::full({2}, scaler.current().item<float>());
  adam.step(scaler.unscale(adam.gradients()));
  EXPECT_LT(weight[0].item<float>(), 1);
  EXPECT_EQ(adam.moments()[0].step.item<float>(), 1);
}

TEST(Losses, AreWhatTheirNamesSay) {
  const torch::Tensor real = torch::tensor({2.0f, -1.0f}), fake = torch::tensor({0.5f, -3.0f});
  const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
  const auto expect = [&](const char* name, double discriminator, double generator) {
    EXPECT_NEAR(find_loss(name).discriminator({real, fake}).item<double>(), discriminator, 1e-6) << name;
    EXPECT_NEAR(find_loss(name).generator({real, fake}).item<double>(), generator, 1e-6) << name;
  };
  expect("bce", (softplus(-2) + softplus(1) + softplus(0.5) + softplus(-3)) / 2,
         (softplus(-0.5) + softplus(3)) / 2);
  expect("relativistic", (softplus(-1.5) + softplus(-2)) / 2, (softplus(1.5) + softplus(2)) / 2);
  expect("hinge", (0 + 2.0 + 1.5 + 0) / 2, (-0.5 + 3) / 2);
  // Smoothing moves the label of real pictures: the loss grows by smoothing * logit.
  EXPECT_NEAR(find_loss("bce").discriminator({real, fake, 0.1}).item<double>() -
                  find_loss("bce").discriminator({real, fake}).item<double>(),
              0.1 * (2 - 1) / 2, 1e-6);
  EXPECT_THROW(find_loss("bse"), Error);
}

TEST(GradientPenalty, IsTheSquaredSlope) {
  const torch::Tensor slope = torch::rand({3, 8, 8}), pictures = torch::rand({5, 3, 8, 8});
  const auto linear = [&](const torch::Tensor& x) { return (x * slope).sum({1, 2, 3}); };
  EXPECT_NEAR(gradient_penalty(linear, pictures, 2).item<double>(), slope.square().sum().item<double>(),
              1e-4);
}

TEST(Ema, HalfLifeGrowsWithTheRun) {
  EXPECT_NEAR(ema_keep(32, 640, 1000, 0.05), 0.5, 1e-9);  // 5% of 640 images is a batch
  EXPECT_NEAR(ema_keep(32, 1'000'000, 32'000, 0.05), std::pow(0.5, 0.001), 1e-12);
}

}  // namespace
}  // namespace nowhere
