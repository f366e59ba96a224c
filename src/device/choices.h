// Words of the configuration, free of LibTorch so that the command line can include them.
#pragma once

namespace nowhere {

enum class DeviceChoice { kAuto, kCpu, kCuda, kHpu };
enum class Precision { kAuto, kFloat32, kBf16, kFp16 };
// Whether a pixel's channels lie next to each other in memory.
enum class ChannelsLast { kAuto, kYes, kNo };

}  // namespace nowhere
