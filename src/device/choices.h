// Words of the configuration, free of LibTorch so that the command line can include them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nowhere {

enum class DeviceChoice { kAuto, kCpu, kCuda, kHpu };
enum class Precision { kAuto, kFloat32, kBf16, kFp16 };
inline std::vector<std::pair<std::string, Precision>> precision_choices() {
  return {{"auto", Precision::kAuto},
          {"float32", Precision::kFloat32},
          {"bf16", Precision::kBf16},
          {"fp16", Precision::kFp16}};
}
// Whether a pixel's channels lie next to each other in memory.
enum class ChannelsLast { kAuto, kYes, kNo };

}  // namespace nowhere
