// Words of the configuration, free of LibTorch so that the command line can include them.
#pragma once

namespace nowhere {

enum class OnNan { kStop, kReload };

// What --max-minutes counts.
enum class MinutesOf { kClock, kCpu };
// By which figure a checkpoint is the best: sliced Wasserstein distance, share of real pictures' diversity,
// G's loss.
enum class KeepBest { kNone, kSwd, kDiversity, kGeneratorLoss };

}  // namespace nowhere
