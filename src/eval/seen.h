// Which of the photographs that a run is judged by it was trained on, by what they show: names and bytes
// change when photographs are copied, renamed or packed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "data/drawn_source.h"
#include "eval/training_data.h"
#include "report/scores.h"

namespace nowhere {

struct SeenInTraining {
  SeenPhotographs held_out, train;
  bool sequences_apart = false;  // the run was trained on no frame of the held-out photographs' sequences
};

// `held_out` and `train` are photographs of `judged`. Where the run was trained on this very source, its
// table decides. Elsewhere its photographs are read, small, until all are found; `progress(done, total)` is
// told how far that is. What cannot be read is not compared. Throws Stopped after a signal.
SeenInTraining seen_in_training(const DrawnSource& judged, const std::vector<uint32_t>& held_out,
                                const std::vector<uint32_t>& train, const TrainingData& training, int threads,
                                const std::function<void(int64_t, int64_t)>& progress);

// In one word. Up to one in a hundred may have a twin by chance: a black frame is like another.
HeldOut held_out_by(const SeenInTraining& seen);

}  // namespace nowhere
