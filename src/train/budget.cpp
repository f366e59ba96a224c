#include "train/budget.h"

#include <algorithm>

namespace nowhere {
namespace {

constexpr double kMeasuredShare = 0.04;  // of the time
constexpr double kReserve = 0.02;        // for checkpoints and pictures on the way
constexpr uint64_t kFewestRounds = 2;
constexpr uint64_t kManyEpochs = 20, kSomeEpochs = 4;

}  // namespace

std::optional<uint64_t> Budget::steps_left(uint64_t steps, double elapsed) {
  if (elapsed >= seconds_) return 0;
  if (!begin_) {
    begin_ = elapsed;
    begin_steps_ = steps;
    return std::nullopt;
  }
  const uint64_t measured = steps - begin_steps_;
  const double took = elapsed - *begin_;
  if (measured % round_ != 0 || measured < kFewestRounds * round_ || took < kMeasuredShare * seconds_)
    return std::nullopt;
  const double left = seconds_ * (1 - kReserve) - elapsed, per_step = took / static_cast<double>(measured);
  return static_cast<uint64_t>(std::max(0.0, left / per_step));
}

uint64_t planned_steps(uint64_t step, uint64_t left, uint64_t batches_per_epoch, uint64_t most) {
  const uint64_t end = std::min(step + left, most);
  if (end < kSomeEpochs * batches_per_epoch) return end;
  const uint64_t rounding = end < kManyEpochs * batches_per_epoch ? batches_per_epoch / 2 : 0;
  const uint64_t whole = (end + rounding) / batches_per_epoch * batches_per_epoch;
  return whole >= step ? std::min(whole, most) : end;
}

}  // namespace nowhere
