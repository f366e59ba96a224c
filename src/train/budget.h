// How many steps fit into the time that a run is given. The speed is measured first and the number fixed
// then, so that the learning rate falls over just those steps, and a run that is resumed knows where it ends.
#pragma once

#include <cstdint>
#include <optional>

namespace nowhere {

class Budget {
 public:
  // `round`: every so many steps one is slower (R1), so whole rounds are measured.
  Budget(double seconds, uint64_t round) : seconds_(seconds), round_(round) {}

  // To be asked after every step: `steps` are done since `elapsed` was 0. How many more fit; nothing while
  // the speed is still being measured.
  std::optional<uint64_t> steps_left(uint64_t steps, double elapsed);

 private:
  double seconds_;
  uint64_t round_;
  std::optional<double> begin_;  // when the first step was done, which is slower than all others
  uint64_t begin_steps_ = 0;
};

// Steps to the end of a run that has done `step` and has time for `left` more: not beyond `most`, and whole
// epochs, because a whole epoch is saved with all that belongs to it: rounded down where there are many, to
// the nearest where there are some.
uint64_t planned_steps(uint64_t step, uint64_t left, uint64_t batches_per_epoch, uint64_t most);

}  // namespace nowhere
