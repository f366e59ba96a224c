// Which cities and drives a set has, and what its files are called.
#pragma once

#include <string>
#include <vector>

#include "data/synth/drive.h"

namespace nowhere::synth {

struct CityPlan {
  CityStyle style;
  std::vector<Drive> drives;
};

// Exactly `images` frames in all, spread evenly; every city has one when there are enough for that.
std::vector<CityPlan> plan_dataset(uint64_t seed, int images, int cities);

// 22 characters, as Mapillary's: unique to the set's seed, the drive and the frame. Frame -1 names the
// sequence.
std::string frame_key(const Drive& drive, int frame);

}  // namespace nowhere::synth
