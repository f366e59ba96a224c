// What the commands that make pictures share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/options.h"

namespace nowhere {

// "--epoch": which of a run's checkpoints.
struct EpochOption {
  int64_t epoch = 0;  // 0: the newest

  void declare(Options& options);
  std::optional<uint64_t> chosen() const;
};

struct GeneratingOptions {
  std::string seeds;
  EpochOption epoch;
  double truncation = 1;
  int threads = 0;  // 0: all cores

  // `standard` is the list of seeds when none is given.
  void declare(Options& options, std::string standard);
  // Throws a usage error.
  std::vector<uint64_t> seed_list() const;
};

}  // namespace nowhere
