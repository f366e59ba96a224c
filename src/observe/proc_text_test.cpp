#include "observe/proc_text.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(ProcText, Fields) {
  const char* status =
      "Name:\tnowhere VmRSS: 1\nVmPeak:\t  900 kB\nVmHWM:\t  512 kB\nVmRSS:\t  256 kB\nThreads:\t7\n";
  EXPECT_EQ(proc_field(status, "VmRSS"), 256 * 1024u);
  EXPECT_EQ(proc_field(status, "VmHWM"), 512 * 1024u);
  EXPECT_EQ(proc_field(status, "Threads"), 7u);
  EXPECT_FALSE(proc_field(status, "Vm"));
  EXPECT_FALSE(proc_field(status, "VmSwap"));
  EXPECT_FALSE(proc_field(status, "Name"));
  EXPECT_FALSE(proc_field("", "VmRSS"));
  EXPECT_EQ(proc_field("rchar: 1\nread_bytes: 4096\nwrite_bytes: 2", "read_bytes"), 4096u);
  EXPECT_EQ(proc_field("active_file 1\ninactive_file 77\n", "inactive_file"), 77u);
}

TEST(ProcText, CpuTicks) {
  const auto ticks = parse_cpu_ticks("cpu  10 20 30 400 50 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->total, 531u);
  EXPECT_EQ(ticks->busy, 81u);
  EXPECT_FALSE(parse_cpu_ticks("cpu  10 20\n"));
  EXPECT_FALSE(parse_cpu_ticks("intr 1\n"));
  EXPECT_FALSE(parse_cpu_ticks(""));
}

TEST(ProcText, BusyShare) {
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {150, 1200}), 0.25);
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {100, 1000}), 0);
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {90, 1100}), 0);  // stepped back
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {300, 1100}), 1);
}

TEST(ProcText, MemoryOfAControlGroup) {
  EXPECT_EQ(cgroup_memory_left("1000\n", "700\n", 200), 500u);
  EXPECT_EQ(cgroup_memory_left("1000\n", "700\n", 900), 1000u);
  EXPECT_EQ(cgroup_memory_left("1000\n", "1200\n", 0), 0u);
  EXPECT_FALSE(cgroup_memory_left("max\n", "700\n", 0));
  EXPECT_FALSE(cgroup_memory_left("9223372036854771712\n", "700\n", 0));
  EXPECT_FALSE(cgroup_memory_left("", "", 0));
}

}  // namespace
}  // namespace nowhere
