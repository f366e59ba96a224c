#include "core/proc.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Proc, Fields) {
  const char* status =
      "Name:\tnowhere VmRSS: 1\nVmPeak:\t  900 kB\nVmHWM:\t  512 kB\nVmRSS:\t  256 kB\nThreads:\t7\n";
  EXPECT_EQ(proc_number(status, "VmRSS"), 256 * 1024u);
  EXPECT_EQ(proc_number(status, "VmHWM"), 512 * 1024u);
  EXPECT_EQ(proc_number(status, "Threads"), 7u);
  EXPECT_FALSE(proc_number(status, "Vm"));
  EXPECT_FALSE(proc_number(status, "VmSwap"));
  EXPECT_FALSE(proc_number(status, "Name"));
  EXPECT_FALSE(proc_number("", "VmRSS"));
  EXPECT_EQ(proc_number("rchar: 1\nread_bytes: 4096\nwrite_bytes: 2", "read_bytes"), 4096u);
  EXPECT_EQ(proc_number("active_file 1\ninactive_file 77\n", "inactive_file"), 77u);
}

TEST(Proc, TextOfALine) {
  const char* info =
      "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nmodel\t\t: 6\nempty\t:\nflags\t\t: fpu avx2\n";
  EXPECT_EQ(proc_text(info, "model name"), "Some CPU @ 2 GHz");
  EXPECT_EQ(proc_text(info, "flags"), "fpu avx2");
  EXPECT_EQ(proc_text(info, "empty"), "");
  EXPECT_FALSE(proc_text(info, "process"));
  EXPECT_FALSE(proc_text(info, "bugs"));
}

TEST(Proc, MemoryOfThisProcess) {
  const ProcessMemory memory = process_memory();
  EXPECT_GT(memory.resident, 0u);
  EXPECT_GE(memory.peak, memory.resident);
  EXPECT_EQ(read_proc_file("/nowhere/none"), "");
}

TEST(Proc, CpuQuotaOfAControlGroup) {
  EXPECT_EQ(cgroup_cpu_quota("150000 100000\n"), 1.5);
  EXPECT_EQ(cgroup_cpu_quota("200000\n 100000\n"), 2);
  EXPECT_FALSE(cgroup_cpu_quota("max 100000\n"));
  EXPECT_FALSE(cgroup_cpu_quota("-1\n 100000\n"));
  EXPECT_FALSE(cgroup_cpu_quota("100000 0\n"));
  EXPECT_FALSE(cgroup_cpu_quota(" "));
}

TEST(Proc, CpuTicks) {
  const auto ticks = parse_cpu_ticks("cpu  10 20 30 400 50 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->total, 531u);
  EXPECT_EQ(ticks->busy, 81u);
  EXPECT_FALSE(parse_cpu_ticks("cpu  10 20\n"));
  EXPECT_FALSE(parse_cpu_ticks("intr 1\n"));
  EXPECT_FALSE(parse_cpu_ticks(""));
}

TEST(Proc, BusyShare) {
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {150, 1200}), 0.25);
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {100, 1000}), 0);
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {90, 1100}), 0);  // stepped back
  EXPECT_DOUBLE_EQ(busy_share({100, 1000}, {300, 1100}), 1);
}

TEST(Proc, DiskCounters) {
  const char* stats =
      "   7       0 loop0 1 2 3 4 5 6 7 8 9 10 11\n"
      " 259       0 nvme0n1 157698 8270 11183418 42384 9000 100 72000 500 0 30000 42884 0 0 0 0 10 20\n"
      " 259       1 nvme0n1p1 100 0 2048 7 0 0 0 0 0 12 7\n"
      "   8       1 sda1 35486 38030 38030 38030\n"
      "   8       2 sda2 1 2";
  const auto disk = parse_disk_counters(stats, {259, 0});
  ASSERT_TRUE(disk);
  EXPECT_EQ(disk->read_bytes, 11183418 * uint64_t{512});
  EXPECT_EQ(disk->busy_ms, 30000u);
  EXPECT_EQ(parse_disk_counters(stats, {259, 1})->read_bytes, 1024u * 1024);
  EXPECT_EQ(parse_disk_counters(stats, {7, 0})->busy_ms, 10u);
  EXPECT_FALSE(parse_disk_counters(stats, {259, 2}));
  EXPECT_FALSE(parse_disk_counters(stats, {8, 1}));  // a partition as old kernels count it
  EXPECT_FALSE(parse_disk_counters(stats, {8, 2}));
  EXPECT_FALSE(parse_disk_counters(stats, {0, 0}));
  EXPECT_FALSE(parse_disk_counters("", {8, 0}));
}

TEST(Proc, DeviceNumbers) {
  EXPECT_EQ(parse_device_number("259:3\n"), (DeviceNumber{259, 3}));
  EXPECT_FALSE(parse_device_number("259"));
  EXPECT_FALSE(parse_device_number("259:"));
  EXPECT_FALSE(parse_device_number(":3"));
  EXPECT_FALSE(parse_device_number(""));
}

TEST(Proc, MemoryOfAControlGroup) {
  EXPECT_EQ(cgroup_memory_left("1000\n", "700\n", 200), 500u);
  EXPECT_EQ(cgroup_memory_left("1000\n", "700\n", 900), 1000u);
  EXPECT_EQ(cgroup_memory_left("1000\n", "1200\n", 0), 0u);
  EXPECT_FALSE(cgroup_memory_left("max\n", "700\n", 0));
  EXPECT_FALSE(cgroup_memory_left("9223372036854771712\n", "700\n", 0));
  EXPECT_FALSE(cgroup_memory_left("", "", 0));
}

}  // namespace
}  // namespace nowhere
