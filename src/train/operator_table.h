// What the operators of a profile took, as a table for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nowhere {

// An operator's call on the CPU. Calls of one thread lie within each other or apart.
struct OperatorCall {
  std::string name;
  uint64_t thread = 0;
  int64_t begin_ns = 0, end_ns = 0;
  uint64_t correlation = 0;  // what its work on a device refers to; 0 for none
};

struct DeviceWork {
  uint64_t correlation = 0;  // of the call that started it
  int64_t duration_ns = 0;
};

struct Allocation {
  uint64_t thread = 0;
  int64_t time_ns = 0;
  int64_t bytes = 0;  // below 0 when it was given back
};

struct OperatorProfile {
  std::vector<OperatorCall> calls;
  std::vector<DeviceWork> work;
  std::vector<Allocation> allocations;
};

// "Self": without what the calls within it took.
struct OperatorTotals {
  std::string name;
  int64_t calls = 0;
  int64_t self_cpu_ns = 0, cpu_ns = 0, self_device_ns = 0;
  int64_t self_bytes = 0;  // allocated and not given back within the call
};

// By name, the greatest self time (on the CPU and the device together) first. A recursive call counts in
// cpu_ns once.
std::vector<OperatorTotals> operator_totals(const OperatorProfile& profile);

// The first `most` as lines of text; columns for a device only where one worked.
std::string operator_table(const std::vector<OperatorTotals>& totals, size_t most, int64_t steps);

}  // namespace nowhere
