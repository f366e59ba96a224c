#include "train/schedule.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Schedule, FallsFromTheRateToItsShare) {
  TrainConfig config;
  config.lr = 0.01;
  config.lr_final = 0.1;
  config.n_epoch = 10;
  EXPECT_DOUBLE_EQ(scheduled_rate(config, 0, 0, 100), 0.01);
  EXPECT_NEAR(scheduled_rate(config, 5, 0, 100), 0.0055, 1e-12);
  EXPECT_NEAR(scheduled_rate(config, 10, 0, 100), 0.001, 1e-12);
  EXPECT_GT(scheduled_rate(config, 3, 10, 100), scheduled_rate(config, 3, 11, 100));
  config.lr_final = 1;
  EXPECT_DOUBLE_EQ(scheduled_rate(config, 7, 3, 100), 0.01);
}

TEST(Schedule, AnotherLastEpochIsTold) {
  TrainConfig config;
  config.lr_final = 0.1;
  config.n_epoch = 4;
  Dict checkpoint;
  checkpoint.add("config", R"({"n_epoch": 2})");
  EXPECT_TRUE(schedule_warning(config, checkpoint));
  config.n_epoch = 2;
  EXPECT_FALSE(schedule_warning(config, checkpoint));
  EXPECT_FALSE(schedule_warning(config, Dict()));
}

}  // namespace
}  // namespace nowhere
