#include "device/assignment.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "device/device.h"

namespace nowhere {
namespace {

TEST(Assignment, AutoTakesTheFirstOfHpuCudaCpu) {
  EXPECT_EQ(assign_device(DeviceChoice::kAuto, {.hpu = 8, .cuda = 2}, 0), torch::Device(torch::kHPU, 0));
  EXPECT_EQ(assign_device(DeviceChoice::kAuto, {.cuda = 2}, 0), torch::Device(torch::kCUDA, 0));
  EXPECT_EQ(assign_device(DeviceChoice::kAuto, {}, 0), torch::Device(torch::kCPU));
  EXPECT_EQ(assign_device(DeviceChoice::kCpu, {.hpu = 8, .cuda = 2}, 0), torch::Device(torch::kCPU));
  EXPECT_EQ(assign_device(DeviceChoice::kCuda, {.hpu = 8, .cuda = 2}, 0), torch::Device(torch::kCUDA, 0));
}

TEST(Assignment, EachProcessHasADeviceForItself) {
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(assign_device(DeviceChoice::kAuto, {.cuda = 4}, rank).index(), rank);
    EXPECT_EQ(assign_device(DeviceChoice::kHpu, {.hpu = 4}, rank).index(), 0);  // each sees its own alone
    EXPECT_EQ(assign_device(DeviceChoice::kAuto, {}, rank), torch::Device(torch::kCPU));  // shared
  }
  EXPECT_THROW(assign_device(DeviceChoice::kAuto, {.cuda = 4}, 4), Error);
  EXPECT_THROW(assign_device(DeviceChoice::kHpu, {.hpu = 2}, 2), Error);
}

TEST(Assignment, ASchedulerMayShowEachProcessItsOwn) {
  EXPECT_EQ(assign_device(DeviceChoice::kAuto, {.cuda = 1}, 3), torch::Device(torch::kCUDA, 0));
  EXPECT_EQ(assign_device(DeviceChoice::kHpu, {.hpu = 1}, 3), torch::Device(torch::kHPU, 0));
}

TEST(Assignment, CountsTheKindThatIsMeant) {
  EXPECT_EQ(device_count(DeviceChoice::kAuto, {.hpu = 8, .cuda = 2}), 8);
  EXPECT_EQ(device_count(DeviceChoice::kCuda, {.hpu = 8, .cuda = 2}), 2);
  EXPECT_EQ(device_count(DeviceChoice::kCpu, {.hpu = 8, .cuda = 2}), 0);
  EXPECT_EQ(device_count(DeviceChoice::kAuto, {}), 0);
}

TEST(Assignment, ABackendForEachKind) {
  EXPECT_EQ(collective_backend(torch::Device(torch::kCUDA, 3)), "nccl");
  EXPECT_EQ(collective_backend(torch::Device(torch::kHPU, 0)), "hccl");
  EXPECT_EQ(collective_backend(torch::kCPU), "gloo");
}

TEST(Assignment, ChannelsLastWhereItHelps) {
  EXPECT_TRUE(resolve_channels_last(ChannelsLast::kAuto, torch::kCPU));
  EXPECT_TRUE(resolve_channels_last(ChannelsLast::kAuto, torch::kCUDA));
  EXPECT_FALSE(resolve_channels_last(ChannelsLast::kAuto, torch::kHPU));
  EXPECT_TRUE(resolve_channels_last(ChannelsLast::kYes, torch::kHPU));
  EXPECT_FALSE(resolve_channels_last(ChannelsLast::kNo, torch::kCPU));
}

TEST(OpenDevice, TheCpuServesEveryRank) {
  EXPECT_EQ(open_device(DeviceChoice::kCpu), torch::Device(torch::kCPU));
  EXPECT_EQ(open_device(DeviceChoice::kCpu, 7), torch::Device(torch::kCPU));
  EXPECT_EQ(visible_devices(DeviceChoice::kCpu), 0);
}

TEST(OpenDevice, AGpuIsCountedOrRefused) {
  if (torch::cuda::is_available()) {
    EXPECT_EQ(visible_devices(DeviceChoice::kCuda), static_cast<int>(torch::cuda::device_count()));
    EXPECT_EQ(open_device(DeviceChoice::kCuda), torch::Device(torch::kCUDA, 0));
  } else {
    EXPECT_EQ(visible_devices(DeviceChoice::kCuda), 0);
    EXPECT_THROW(open_device(DeviceChoice::kCuda), Error);
  }
}

}  // namespace
}  // namespace nowhere
