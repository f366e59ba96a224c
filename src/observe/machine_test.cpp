#include "observe/machine.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

constexpr uint64_t kMebibyte = 1024 * 1024;

TEST(Machine, FiguresOfThisProcess) {
  MachineMonitor monitor({.nvml_library = "libnowhere-none.so", .habana_tool = "nowhere-none"});
  for (int round = 0; round < 2; ++round) {
    const MachineFigures figures = monitor.sample();
    EXPECT_GE(figures.cpu_share, 0);
    EXPECT_LE(figures.cpu_share, 1);
    EXPECT_GE(figures.machine_cpu_share, 0);
    EXPECT_LE(figures.machine_cpu_share, 1);
    EXPECT_GT(figures.memory_bytes, 0u);
    EXPECT_GE(figures.peak_memory_bytes, figures.memory_bytes);
    EXPECT_GT(figures.memory_available, 0u);
    EXPECT_GE(figures.disk_read_bytes_per_second.value_or(0), 0);
    EXPECT_FALSE(figures.disk_busy_share) << "no data, so no disk";
    EXPECT_TRUE(figures.accelerators.empty());
  }
}

TEST(Machine, FiguresOfTheDataDisk) {
  const AcceleratorSources none{.nvml_library = "libnowhere-none.so", .habana_tool = "nowhere-none"};
  const TestFolder folder;
  const auto disk = Disk::of(folder.path());
  const bool counted = disk && disk->counters();
  MachineMonitor monitor(none, folder.path());
  for (int round = 0; round < 3; ++round) {
    const MachineFigures figures = monitor.sample();
    EXPECT_EQ(figures.disk_busy_share.has_value(), counted);
    EXPECT_GE(figures.disk_busy_share.value_or(0), 0);
    EXPECT_LE(figures.disk_busy_share.value_or(0), 1);
    EXPECT_GE(figures.disk_read_bytes_per_second.value_or(0), 0);
  }
  MachineMonitor without(none, "/proc");  // which has no disk
  EXPECT_FALSE(without.sample().disk_busy_share);
}

TEST(Nvml, DevicesOfTheLibrary) {
  const auto accelerators = Nvml(NOWHERE_FAKE_NVML).sample();
  ASSERT_EQ(accelerators.size(), 2u);  // the fake has three, one of which does not answer
  EXPECT_EQ(accelerators[0].name, "Fake 3000");
  EXPECT_DOUBLE_EQ(accelerators[0].use_share, 0.42);
  EXPECT_EQ(accelerators[0].memory_bytes, 1024 * kMebibyte);
  EXPECT_EQ(accelerators[0].memory_total, 8192 * kMebibyte);
  EXPECT_EQ(accelerators[1].use_share, 0);  // not reported
  EXPECT_EQ(accelerators[1].memory_total, 8192 * kMebibyte);
}

TEST(Nvml, NoneWithoutTheLibrary) {
  EXPECT_TRUE(Nvml("libnowhere-none.so").sample().empty());
  EXPECT_TRUE(Nvml("libc.so.6").sample().empty());  // a library, but another
}

TEST(Habana, OutputOfTheTool) {
  const auto accelerators = parse_hl_smi("HL-225, 37, 768, 98304\nHL-225, 0 %, 512 MiB, 98304 MiB\n");
  ASSERT_EQ(accelerators.size(), 2u);
  EXPECT_EQ(accelerators[0].name, "HL-225");
  EXPECT_DOUBLE_EQ(accelerators[0].use_share, 0.37);
  EXPECT_EQ(accelerators[0].memory_bytes, 768 * kMebibyte);
  EXPECT_EQ(accelerators[0].memory_total, 98304 * kMebibyte);
  EXPECT_EQ(accelerators[1].memory_bytes, 512 * kMebibyte);
}

TEST(Habana, OtherLinesAreSkipped) {
  EXPECT_TRUE(parse_hl_smi("").empty());
  EXPECT_TRUE(
      parse_hl_smi("ERROR: no devices\nHL-225, N/A, 768, 98304\nHL-225, 1, 2\nHL, -1, 2, 3\n").empty());
  EXPECT_EQ(
      parse_hl_smi("name, utilization.aip [%], memory.used [MiB], memory.total [MiB]\nHL-325, 5, 1, 2\n")
          .size(),
      1u);
}

TEST(Habana, TheToolIsPolledInTheBackground) {
  const TestFolder folder;
  const auto tool = folder.path() / "hl-smi";
  // Fails with any other arguments.
  write_file(tool,
             std::string_view("#!/bin/sh\n"
                              "[ \"$1 $2\" = '-Q name,utilization.aip,memory.used,memory.total' ] || exit 1\n"
                              "[ \"$3 $4\" = '-f csv,noheader,nounits' ] || exit 1\n"
                              "echo 'HL-225, 37, 768, 98304'\n"));
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  MachineMonitor monitor({.nvml_library = NOWHERE_FAKE_NVML, .habana_tool = tool.string()});
  MachineFigures figures = monitor.sample();
  while (figures.accelerators.size() < 3) {
    std::this_thread::yield();
    figures = monitor.sample();
  }
  EXPECT_EQ(figures.accelerators.back().name, "HL-225");
}

TEST(Habana, AToolThatHangsDoesNotDelayTheEnd) {
  const TestFolder folder;
  const auto tool = folder.path() / "hl-smi";
  write_file(tool, std::string_view("#!/bin/sh\nsleep 1000\n"));
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  const HabanaMonitor monitor(tool.string());
  EXPECT_TRUE(monitor.sample().empty());
}

}  // namespace
}  // namespace nowhere
