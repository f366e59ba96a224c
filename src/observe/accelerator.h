// Figures of an accelerator, from its driver.
#pragma once

#include <cstdint>
#include <string>

namespace nowhere {

struct Accelerator {
  std::string name;
  double use_share = 0;       // 0 to 1: how much of the time something ran on it
  uint64_t memory_bytes = 0;  // in use, by all processes
  uint64_t memory_total = 0;
};

}  // namespace nowhere
