#include "train/schedule.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Schedule, FallsFromTheRateToItsShare) {
  TrainConfig config;
  config.lr = 0.01;
  config.lr_final = 0.1;
  config.n_epoch = 10;
  EXPECT_DOUBLE_EQ(scheduled_rate(config, 0, 1000), 0.01);
  EXPECT_NEAR(scheduled_rate(config, 500, 1000), 0.0055, 1e-12);
  EXPECT_NEAR(scheduled_rate(config, 1000, 1000), 0.001, 1e-12);
  EXPECT_GT(scheduled_rate(config, 310, 1000), scheduled_rate(config, 311, 1000));
  config.lr_final = 1;
  EXPECT_DOUBLE_EQ(scheduled_rate(config, 703, 1000), 0.01);
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
