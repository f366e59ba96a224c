// Which photographs take part. One set of flags for scan, pack, preview and train.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/options.h"
#include "data/source.h"
#include "data/split.h"

namespace nowhere {

enum class YesNo { kEither, kYes, kNo };

struct FilterConfig {
  std::vector<std::string> cities;  // empty: all
  Subset subset = Subset::kNone;    // none: both
  YesNo night = YesNo::kEither;
  std::vector<std::string> views;
  bool no_pano = false;
  bool no_control_panel = false;
  Split split = Split::kAll;
  double min_move = 0;  // metres
  int64_t max_per_sequence = 0;
  bool dedup = false;
  int64_t limit = 0;

  void declare(Options& options);
};

// What one filter did.
struct FilterStep {
  std::string flag;  // as given: "--night yes"
  size_t removed = 0;
};

struct Selection {
  std::vector<uint32_t> photos;  // in the order of the table
  std::vector<FilterStep> steps;
};

// Applies the filters one after the other. Throws a data error when a filter needs a column that the data do
// not have, and when nothing is left, naming the filter that removed the last ones. `progress(done, total)`
// is told how far the reading of the pictures for `dedup` is; when `stop()` says so it throws Stopped.
Selection select_photos(const Source& source, const FilterConfig& config, int threads,
                        const std::function<void(int64_t, int64_t)>& progress,
                        const std::function<bool()>& stop);

}  // namespace nowhere
