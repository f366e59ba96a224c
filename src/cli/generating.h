// What the commands that make pictures share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/options.h"

namespace nowhere {

struct GeneratingOptions {
  std::string seeds;
  int64_t epoch = 0;  // 0: the newest
  double truncation = 1;
  int threads = 0;  // 0: all cores

  // `standard` is the list of seeds when none is given.
  void declare(Options& options, std::string standard);
  // Throws a usage error.
  std::vector<uint64_t> seed_list() const;
  std::optional<uint64_t> chosen_epoch() const;
};

}  // namespace nowhere
