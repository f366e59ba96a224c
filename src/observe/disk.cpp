#include "observe/disk.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <string>
#include <system_error>
#include <vector>

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// The folder of what a mapped device lies on; nothing where it lies on several, or on none.
std::optional<fs::path> only_slave(const fs::path& folder) {
  std::error_code error;
  std::optional<fs::path> slave;
  for (const auto& entry : fs::directory_iterator(folder / "slaves", error)) {
    if (slave) return {};
    slave = fs::canonical(entry.path(), error);
    if (error) return {};
  }
  return slave;
}

}  // namespace

DeviceNumber whole_disk(const fs::path& sys_dev_block, DeviceNumber device) {
  constexpr int kMaxLayers = 16;
  std::error_code error;
  fs::path folder = fs::canonical(sys_dev_block / fmt::format("{}:{}", device.major, device.minor), error);
  if (error) return device;
  for (int layer = 0; layer < kMaxLayers; ++layer) {
    if (fs::exists(folder / "partition", error))
      folder = folder.parent_path();
    else if (const auto below = only_slave(folder))
      folder = *below;
    else
      break;
  }
  return parse_device_number(read_proc_file((folder / "dev").c_str())).value_or(device);
}

std::optional<Disk> Disk::of(const fs::path& path) {
  struct stat status {};
  // A pattern of several files is no file itself: they lie in the folder that it names.
  if (path.empty() ||
      (::stat(path.c_str(), &status) != 0 && ::stat(path.parent_path().c_str(), &status) != 0))
    return {};
  const DeviceNumber device{major(status.st_dev), minor(status.st_dev)};
  if (device.major == 0) return {};  // a file system without a device
  return Disk(whole_disk("/sys/dev/block", device));
}

std::optional<DiskCounters> Disk::counters() const {
  return parse_disk_counters(read_proc_file("/proc/diskstats"), device_);
}

}  // namespace nowhere
