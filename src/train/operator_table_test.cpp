#include "train/operator_table.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

const OperatorTotals& find(const std::vector<OperatorTotals>& totals, const std::string& name) {
  for (const OperatorTotals& one : totals)
    if (one.name == name) return one;
  throw std::runtime_error("no " + name);
}

// Thread 1: step(0..100) { conv(10..50) { mm(20..40) }, conv(50..60) }; thread 2: mm(0..5).
OperatorProfile example() {
  return {.calls = {{"mm", 1, 20, 40, 3},
                    {"step", 1, 0, 100, 1},
                    {"conv", 1, 10, 50, 2},
                    {"conv", 1, 50, 60, 4},
                    {"mm", 2, 0, 5, 0}},
          .work = {{3, 70}, {3, 5}, {2, 1}, {99, 1000}},
          .allocations = {
              {1, 15, 100}, {1, 25, 1000}, {1, 45, -30}, {1, 50, 7}, {1, 99, 1}, {1, 200, 5}, {3, 1, 5}}};
}

TEST(OperatorTotals, SelfIsWithoutTheCallsWithin) {
  const auto totals = operator_totals(example());
  ASSERT_EQ(totals.size(), 3u);
  EXPECT_EQ(totals[0].name, "mm");  // 25 on the CPU, 75 on the device
  const OperatorTotals &mm = find(totals, "mm"), &conv = find(totals, "conv"), &step = find(totals, "step");
  EXPECT_EQ(mm.calls, 2);
  EXPECT_EQ(mm.self_cpu_ns, 25);
  EXPECT_EQ(mm.self_device_ns, 75);
  EXPECT_EQ(conv.calls, 2);
  EXPECT_EQ(conv.cpu_ns, 50);
  EXPECT_EQ(conv.self_cpu_ns, 30);
  EXPECT_EQ(conv.self_device_ns, 1);
  EXPECT_EQ(step.self_cpu_ns, 50);
  EXPECT_EQ(step.cpu_ns, 100);
}

TEST(OperatorTotals, MemoryBelongsToTheInnermostCall) {
  const auto totals = operator_totals(example());
  EXPECT_EQ(find(totals, "mm").self_bytes, 1000);
  EXPECT_EQ(find(totals, "conv").self_bytes, 100 - 30 + 7);
  EXPECT_EQ(find(totals, "step").self_bytes, 1);
}

TEST(OperatorTotals, ARecursiveCallCountsOnce) {
  const auto totals = operator_totals(
      {.calls = {{"a", 1, 0, 10, 0}, {"a", 1, 0, 8, 0}, {"a", 1, 2, 4, 0}}, .work = {}, .allocations = {}});
  EXPECT_EQ(totals[0].calls, 3);
  EXPECT_EQ(totals[0].cpu_ns, 10);
  EXPECT_EQ(totals[0].self_cpu_ns, 10);
  EXPECT_TRUE(operator_totals({}).empty());
}

TEST(OperatorTable, HasColumnsForADeviceThatWorked) {
  const std::string with = operator_table(operator_totals(example()), 2, 4);
  EXPECT_NE(with.find("self device ms"), std::string::npos) << with;
  EXPECT_NE(with.find("and 1 more"), std::string::npos) << with;
  EXPECT_TRUE(with.starts_with("4 steps: ")) << with;
  OperatorProfile cpu = example();
  cpu.work.clear();
  const std::string without = operator_table(operator_totals(cpu), 10, 4);
  EXPECT_EQ(without.find("device"), std::string::npos) << without;
  EXPECT_NE(without.find("step"), std::string::npos) << without;
  EXPECT_NE(without.find("47.6%"), std::string::npos) << without;  // 50 of 105
  EXPECT_NE(operator_table({}, 10, 0).find("self memory"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
