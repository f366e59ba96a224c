// Whether a generator repeats its training pictures: samples that lie nearer to one than pictures which it
// never saw do.
#pragma once

#include <cstdint>
#include <vector>

#include "eval/nearest.h"

namespace nowhere {

// How nearness is measured.
enum class Nearness {
  kPlain,    // the distance to the nearest training picture
  kRelative  // over that to the nearest of another group: what is near to everything is not taken for a copy
};

struct NearPair {
  int64_t sample = 0, training = 0;
  double distance = 0;
};

struct Memorisation {
  double smallest_held_out = 0;       // no held-out picture is nearer to a training picture than this
  double percentile_held_out = 0;     // one held-out picture in a hundred is
  double share_below_smallest = 0;    // of samples, in [0,1]
  double share_below_percentile = 0;  // 0.01 where samples are as far as held-out pictures
  std::vector<NearPair> worst;        // nearest first
};

// samples, held_out: nearest training pictures of generated and of real pictures that were not trained on. At
// most `worst` pairs are named. The percentile is interpolated linearly.
Memorisation judge_memorisation(const Neighbours& samples, const Neighbours& held_out, int64_t worst,
                                Nearness nearness = Nearness::kPlain);

}  // namespace nowhere
