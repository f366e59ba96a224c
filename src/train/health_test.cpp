#include "train/health.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

// A log point every 50 steps up to `steps`, each as given; the warnings.
std::vector<std::string> warnings(const TrainConfig& config, Vital vital, uint64_t steps,
                                  uint64_t every = 50) {
  Health health(config);
  std::vector<std::string> all;
  for (vital.step = 1; vital.step <= steps; vital.step += every)
    if (auto warning = health.watch(vital)) all.push_back(*warning);
  return all;
}

constexpr Vital kCollapsing{.step = 0, .diversity = 0.1};
constexpr Vital kBeaten{.step = 0, .d_x = 0.999, .d_g_z = 0.001};

TEST(Health, ANewRunIsLeftAlone) {
  const TrainConfig config;
  for (const Vital& vital : {kCollapsing, kBeaten}) {
    EXPECT_TRUE(warnings(config, vital, 500).empty());
    EXPECT_TRUE(warnings(config, vital, 500, 1).empty()) << "however often it is logged";
    EXPECT_TRUE(warnings(config, vital, 650, 1).empty()) << "a sign has to last";
    EXPECT_EQ(warnings(config, vital, 10'000).size(), 1u) << "once";
  }
  EXPECT_TRUE(warnings(config, Vital(), 10'000).empty());
}

TEST(Health, WarnsAgainAfterASignWasGone) {
  const TrainConfig config;
  Health health(config);
  int told = 0;
  for (uint64_t step = 1000; step < 5000; step += 50)
    told += health.watch({.step = step, .diversity = step < 2000 || step > 3000 ? 0.1 : 0.9}).has_value();
  EXPECT_EQ(told, 2);
}

TEST(Health, RecommendsWhatTheRunDoesNotDo) {
  TrainConfig config;
  const auto says = [&](const Vital& vital, const char* what) {
    return warnings(config, vital, 2000).at(0).find(what) != std::string::npos;
  };
  EXPECT_TRUE(says(kCollapsing, "--loss relativistic, --d-group 4, --r1-gamma 1 or --diff-colour yes"));
  EXPECT_TRUE(says(kBeaten, "--instance-noise 0.05, --label-smoothing 0.1 or --r1-gamma 1"));
  config = train_preset("streets-64");
  for (const char* there : {"relativistic", "--d-group", "--r1-gamma", "--diff-colour"})
    EXPECT_FALSE(says(kCollapsing, there)) << there;
  EXPECT_TRUE(says(kCollapsing, "try going back to an earlier checkpoint with a lower --lr"));
  EXPECT_FALSE(says(kBeaten, "--label-smoothing")) << "it belongs to bce";
  EXPECT_TRUE(says(kBeaten, "a lower --lr or --instance-noise 0.05"));
}

TEST(Health, OnePictureIsNoDiversity) {
  const torch::Tensor real = torch::rand({8, 3, 32, 32});
  EXPECT_NEAR(diversity_ratio(real, real).item<double>(), 1, 1e-4);
  EXPECT_NEAR(diversity_ratio(real[0].expand({8, 3, 32, 32}), real).item<double>(), 0, 1e-2);
}

}  // namespace
}  // namespace nowhere
