// The disk that a file lies on.
#pragma once

#include <filesystem>
#include <optional>

#include "core/proc.h"

namespace nowhere {

class Disk {
 public:
  // Nothing where the file system has no device of its own: tmpfs, overlay, btrfs, a network.
  static std::optional<Disk> of(const std::filesystem::path& path);

  // Nothing where the system does not count for it.
  std::optional<DiskCounters> counters() const;

 private:
  explicit Disk(DeviceNumber device) : device_(device) {}

  DeviceNumber device_;
};

// The disk as a whole that a device is a part of, by the links of /sys/dev/block: that of a partition, and
// what a mapped device (LVM, encryption) lies on when that is one disk only. Elsewhere the device itself.
DeviceNumber whole_disk(const std::filesystem::path& sys_dev_block, DeviceNumber device);

}  // namespace nowhere
