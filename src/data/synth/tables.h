// The four tables that lie beside images/ in the MSLS layout.
#pragma once

#include <string>
#include <vector>

#include "data/synth/plan.h"

namespace nowhere::synth {

// A finished picture: which drive, which frame.
struct Shot {
  const Drive* drive = nullptr;
  int frame = 0;
};

struct Tables {
  std::string seq_info;
  std::string raw;
  std::string postprocessed;
  std::string subtask_index;
};

// One row per shot, in the given order.
Tables make_tables(const CityStyle& city, const std::vector<Shot>& shots);

}  // namespace nowhere::synth
