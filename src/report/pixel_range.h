// The same likelihoods in another range of pixels.
#pragma once

#include "report/scores.h"

namespace nowhere {

// What scores of pixels in [0,1] are when the same pixels are written in [-1,1]: every distance doubles, so
// the best sigma does, and a density over D numbers falls to 1 / 2^D. Log-likelihoods lose D ln 2; their
// errors stay. Exact. `dimensions` is to be known.
ParzenScores in_signed_pixels(ParzenScores scores);

}  // namespace nowhere
