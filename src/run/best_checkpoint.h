// best.json: which epoch's checkpoint is the best so far, and by what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/run_directory.h"

namespace nowhere {

struct BestCheckpoint {
  std::string metric;  // "swd"
  uint64_t epoch = 0;
  double score = 0;  // higher is better

  bool operator==(const BestCheckpoint&) const = default;
};

// Nothing when there is none, or one by another metric.
std::optional<BestCheckpoint> read_best(const RunDirectory& run, const std::string& metric);
void write_best(const RunDirectory& run, const BestCheckpoint& best);

}  // namespace nowhere
