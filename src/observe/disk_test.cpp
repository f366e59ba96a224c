#include "observe/disk.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// A part of /sys: folders of devices, and links to them by number.
class Sysfs {
 public:
  Sysfs() { fs::create_directories(blocks()); }

  fs::path add(const fs::path& folder, const std::string& number) const {
    const fs::path path = folder_.path() / "devices" / folder;
    fs::create_directories(path);
    write_file(path / "dev", number + "\n");
    fs::create_directory_symlink(path, blocks() / number);
    return path;
  }
  static void put_on(const fs::path& mapped, const fs::path& below) {
    fs::create_directories(mapped / "slaves");
    fs::create_directory_symlink(below, mapped / "slaves" / below.filename());
  }
  fs::path blocks() const { return folder_.path() / "dev" / "block"; }

 private:
  TestFolder folder_;
};

TEST(Disk, PartitionsAndMappedDevicesAreParts) {
  const Sysfs sys;
  sys.add("sda", "8:0");
  const fs::path partition = sys.add("sda/sda1", "8:1");
  write_file(partition / "partition", std::string_view("1\n"));
  const fs::path crypt = sys.add("dm-0", "253:0"), volume = sys.add("dm-1", "253:1");
  Sysfs::put_on(crypt, partition);
  Sysfs::put_on(volume, crypt);
  for (const DeviceNumber part : {DeviceNumber{8, 0}, {8, 1}, {253, 0}, {253, 1}})
    EXPECT_EQ(whole_disk(sys.blocks(), part), (DeviceNumber{8, 0})) << part.major << ":" << part.minor;
}

TEST(Disk, WhatLiesOnSeveralDisksIsItself) {
  const Sysfs sys;
  const fs::path striped = sys.add("dm-0", "253:0");
  Sysfs::put_on(striped, sys.add("sda", "8:0"));
  Sysfs::put_on(striped, sys.add("sdb", "8:16"));
  EXPECT_EQ(whole_disk(sys.blocks(), {253, 0}), (DeviceNumber{253, 0}));
  EXPECT_EQ(whole_disk(sys.blocks(), {9, 9}), (DeviceNumber{9, 9}));  // unknown
  EXPECT_EQ(whole_disk("/nowhere/none", {8, 1}), (DeviceNumber{8, 1}));
}

TEST(Disk, NoneWithoutADevice) {
  EXPECT_FALSE(Disk::of("/proc"));
  EXPECT_FALSE(Disk::of("/nowhere/none"));
  EXPECT_FALSE(Disk::of(""));
}

}  // namespace
}  // namespace nowhere
