#include "report/pixel_range.h"

#include <numbers>

namespace nowhere {

ParzenScores in_signed_pixels(ParzenScores scores) {
  const double shift = static_cast<double>(scores.dimensions) * std::numbers::ln2;
  scores.sigma *= 2;
  for (double& sigma : scores.grid) sigma *= 2;
  scores.test.mean -= shift;
  if (scores.baseline) {
    scores.baseline->sigma *= 2;
    scores.baseline->test.mean -= shift;
  }
  if (scores.epochs) {
    scores.epochs->sigma *= 2;
    for (ParzenEpoch& point : scores.epochs->points) point.test.mean -= shift;
  }
  return scores;
}

}  // namespace nowhere
