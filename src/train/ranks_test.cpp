#include "train/ranks.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "dist/test_ranks.h"
#include "train/step.h"

namespace nowhere {
namespace {

// G has batch norm, D has none.
TrainConfig small_config() {
  TrainConfig config;
  config.model = {.nz = 16, .ngf = 4, .ndf = 4, .img_size = 32};
  apply_recipe(config, "streets");
  config.r1_gamma = 1;
  return config;
}

torch::Tensor row(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> flat;
  for (const torch::Tensor& tensor : tensors) flat.push_back(tensor.detach().flatten());
  return torch::cat(flat);
}

double relative_gap(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found - expected).norm() / expected.norm()).item<double>();
}

TEST(Ranks, AloneThereIsNothingToSettle) {
  Ranks ranks(nullptr);
  EXPECT_TRUE(ranks.is_main());
  EXPECT_EQ(ranks.size(), 1);
  const Decision decision =
      ranks.agree({.stop_signal = 15, .save = true, .failed = false, .planned_steps = 7});
  EXPECT_EQ(decision.stop_signal, 15);
  EXPECT_TRUE(decision.save);
  EXPECT_EQ(decision.planned_steps, 7u);
  std::array<double, 2> figures{1, 2};
  ranks.average(figures);
  EXPECT_EQ(figures[1], 2);
  EXPECT_EQ(ranks.sum(3), 3u);
  EXPECT_EQ(ranks.first_failure("why"), "why");
}

TEST(Ranks, SeedsDifferAndThatOfRankZeroIsTheRuns) {
  EXPECT_EQ(rank_seed(5, 0), 5u);
  std::set<uint64_t> seeds;
  for (int rank = 0; rank < 64; ++rank) seeds.insert(rank_seed(5, rank));
  EXPECT_EQ(seeds.size(), 64u);
}

TEST(Ranks, WhatOneRankWishesAllDo) {
  on_ranks(3, [](Group& group) {
    Ranks ranks(&group);
    Decision own;
    if (ranks.rank() == 1) own.stop_signal = 15;
    if (ranks.rank() == 0) own.planned_steps = 40;
    if (ranks.rank() == 2) own.save = true;
    const Decision decision = ranks.agree(own);
    EXPECT_EQ(decision.stop_signal, 15);
    EXPECT_EQ(decision.planned_steps, 40u);
    EXPECT_TRUE(decision.save);
    EXPECT_FALSE(decision.failed);
    std::array<double, 2> figures{1.0 * ranks.rank(), 4};
    ranks.average(figures);
    EXPECT_EQ(figures[0], 1);
    EXPECT_EQ(figures[1], 4);
    EXPECT_EQ(ranks.sum(static_cast<uint64_t>(ranks.rank())), 3u);
    EXPECT_TRUE(ranks.from_main(ranks.is_main(), "a question"));
    const std::string failure = ranks.first_failure(ranks.rank() == 2 ? "no data" : "");
    EXPECT_NE(failure.find("no data"), std::string::npos);
    EXPECT_EQ(failure.find("rank 2 (host ") != std::string::npos, ranks.rank() != 2) << failure;
  });
}

TEST(Ranks, AllGetTheStateOfRankZero) {
  on_ranks(2, [](Group& group) {
    Ranks ranks(&group);
    TrainConfig config = small_config();
    config.seed = static_cast<uint64_t>(ranks.rank());  // so that they begin differently
    config.ema_kimg = 1;
    Players players(config, torch::kCPU, Precision::kFloat32);
    TrainProgress progress;
    if (ranks.is_main()) {
      progress = {.epoch = 2, .batches = 3, .step = 23, .images = 368, .lr_share = 0.5, .planned_steps = 99};
      players.generator.adam.moments()[0].first.fill_(7);
    }
    EXPECT_THROW(ranks.check_weights(players, 1), Error);
    ranks.share(players, progress);
    ranks.check_weights(players, 1);
    EXPECT_EQ(players.generator.adam.moments()[0].first.flatten()[0].item<float>(), 7);
    EXPECT_EQ(progress.epoch, 2u);
    EXPECT_EQ(progress.batches, 3u);
    EXPECT_EQ(progress.step, 23u);
    EXPECT_EQ(progress.images, 368);
    EXPECT_EQ(progress.lr_share, 0.5);
    EXPECT_EQ(progress.planned_steps, 99u);
    // A weight that changes on one rank alone.
    if (ranks.rank() == 1) {
      const torch::NoGradGuard no_gradients;
      players.discriminator.network->parameters()[0].add_(1e-6);
    }
    try {
      ranks.check_weights(players, 100);
      FAIL() << "weights differ";
    } catch (const Error& error) {
      const std::string name = "D." + players.discriminator.network->named_parameters().begin()->key();
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("step 100"), std::string::npos) << error.what();
    }
  });
}

TEST(Ranks, OtherSettingsAreNamed) {
  on_ranks(2, [](Group& group) { check_same_work(group, {{"lr", 0.1}}, "digest"); });
  for (const auto& thrown : try_ranks(2, [](Group& group) {
         check_same_work(group, {{"batch_size", 8}, {"lr", group.rank() == 0 ? 0.1 : 0.2}}, "digest");
       })) {
    ASSERT_TRUE(thrown);
    EXPECT_THROW(std::rethrow_exception(thrown), Error);
  }
}

// One step of two ranks with half a batch each is the step of one process with all of it, where batch norm
// sees all of it too. What is drawn differs by rank, so nothing is drawn.
TEST(Ranks, TwoHalvesOfABatchMakeTheStepOfAWholeOne) {
  TrainConfig config = small_config();
  config.sync_bn = true;
  torch::manual_seed(1);
  const torch::Tensor real = torch::rand({16, 3, 32, 32}) * 2 - 1, latent = torch::randn({16, 16, 1, 1});
  Players whole(config, torch::kCPU, Precision::kFloat32);
  GanStep step(config, whole, torch::kCPU, Precision::kFloat32);
  const StepResult expected = step(real, {latent, {}}, 0, true);
  on_ranks(2,
           [&](Group& group) {
             Ranks ranks(&group);
             Players players(config, torch::kCPU, Precision::kFloat32);
             players.join(group, config);
             GanStep half(config, players, torch::kCPU, Precision::kFloat32, &group);
             const int64_t from = 8 * group.rank();
             const StepResult found =
                 half(real.slice(0, from, from + 8), {latent.slice(0, from, from + 8), {}}, 0, true);
             ranks.check_weights(players, 1);
             EXPECT_LT(relative_gap(row(players.discriminator.adam.gradients()),
                                    row(whole.discriminator.adam.gradients())),
                       1e-5);
             // G's come after D's update, in which Adam makes steps of one size out of gradients of any.
             EXPECT_LT(
                 relative_gap(row(players.generator.adam.gradients()), row(whole.generator.adam.gradients())),
                 1e-3);
             std::array<double, 2> losses{found.d_loss.item<double>(), found.g_loss.item<double>()};
             ranks.average(losses);
             EXPECT_NEAR(losses[0], expected.d_loss.item<double>(), 1e-4);
             EXPECT_NEAR(losses[1], expected.g_loss.item<double>(), 1e-3);
           },
           {.timeout = std::chrono::seconds(60), .statistics = true});
}

// Without --sync-bn each rank's batch norm sees its own half, and weights are the same all the same.
TEST(Ranks, WeightsStayTheSameOverManySteps) {
  TrainConfig config = small_config();
  config.diff_colour = config.diff_translation = true;
  config.instance_noise = 0.1;
  on_ranks(2, [&](Group& group) {
    Ranks ranks(&group);
    Players players(config, torch::kCPU, Precision::kFloat32);
    players.join(group, config);
    GanStep step(config, players, torch::kCPU, Precision::kFloat32, &group);
    for (uint64_t number = 0; number < 6; ++number) {
      const GeneratorInput input =
          draw_input(4, config.model.nz, rank_seed(config.seed, group.rank()), Purpose::kLatent, {number});
      const torch::Tensor real =
          torch::full({4, 3, 32, 32}, 0.1 * static_cast<double>(number) + group.rank());
      step(real.contiguous(), input, number);
      ranks.check_weights(players, number);
    }
  });
}

}  // namespace
}  // namespace nowhere
