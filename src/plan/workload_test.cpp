#include "plan/workload.h"

#include <gtest/gtest.h>

#include "plan/test_workloads.h"

namespace nowhere {
namespace {

TEST(Workload, CountsTheReferencesParameters) {
  const Workload naive = test_naive().work;
  EXPECT_EQ(naive.generator.parameters(), 3'576'704);
  EXPECT_EQ(naive.discriminator.parameters(), 2'765'568);
  EXPECT_EQ(naive.gradient_bytes(), 4U * (3'576'704 + 2'765'568));
  EXPECT_EQ(test_safe().work.generator.parameters(), 48'772'864);
}

TEST(Workload, AStepIsThreePassesOfGAndEightOfD) {
  Workload work;
  work.generator.layers = {{1, 10}, {1, 20}};
  work.discriminator.layers = {{1, 100}};
  EXPECT_EQ(work.multiplications(), 3 * 30 + 8 * 100);
  work.frozen.multiplications = 1000;
  EXPECT_EQ(work.multiplications(), 3 * 30 + 8 * 100 + 3 * 1000);
}

TEST(Workload, MemoryIsCountedByHand) {
  Workload work{.batch = 2, .size = 8, .history_bytes = 7};
  work.generator = {{{100, 1}}, 10};
  work.discriminator = {{{20, 1}}, 3};
  const uint64_t training = 4 * (4 * 120 + 2 * (2 * 3 + 10)), batch = 4 * 2 * 3 * 8 * 8;
  EXPECT_EQ(work.device_bytes(), training + 2 * batch);
  EXPECT_EQ(work.memory_bytes(), training + 4 * batch + 7);
  EXPECT_EQ(work.checkpoint_bytes(), 4U * 3 * 120 + 7);
  work.averaged = true;
  work.frozen = {.parameters = 1000, .multiplications = 0, .activations = 50};
  EXPECT_EQ(work.device_bytes(), training + 2 * batch + 4 * (100 + 1000 + 2 * 50));
  EXPECT_EQ(work.checkpoint_bytes(), 4U * (3 * 120 + 100) + 7) << "the frozen network is in no checkpoint";
}

TEST(Workload, AnEpochIsWholeBatchesOfEveryDevice) {
  EXPECT_EQ(images_of_epoch(1000, 256, 1), 768);
  EXPECT_EQ(images_of_epoch(1000, 256, 4), 0);
  EXPECT_EQ(images_of_epoch(2048, 256, 8), 2048);
}

}  // namespace
}  // namespace nowhere
