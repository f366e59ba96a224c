// A run at one moment: all that a checkpoint holds. The reference's keys, and ours beside them.
#pragma once

#include <cstdint>
#include <string>

#include "archive/value.h"
#include "train/epoch_data.h"
#include "train/loss_curves.h"
#include "train/picture_history.h"
#include "train/players.h"

namespace nowhere {

// How far a run is. Everything random is keyed on these numbers and the seed.
struct TrainProgress {
  uint64_t epoch = 0;    // whole ones
  uint64_t batches = 0;  // of the epoch under way
  uint64_t step = 0;
  int64_t images = 0;
  double lr_share = 1;         // of the configured rate: halved by --on-nan reload
  uint64_t planned_steps = 0;  // the last step of a run with --max-minutes; 0 while that is not known
  LossCurves losses;

  bool operator==(const TrainProgress&) const = default;
};

struct SnapshotParts {
  const Players& players;
  const TrainProgress& progress;
  std::string architecture;
  std::string config;  // JSON
  const EpochData& data;
  const torch::Tensor& noise;  // [64,nz,1,1], the fixed one
  const PictureHistory& pictures;
};

// Copies everything off the device, so that training may go on while it is written.
Value make_snapshot(const SnapshotParts& parts);
// Puts a checkpoint, of this program or of the reference, back into the players. Gives how far it was and the
// fixed noise. Throws a data error naming what does not fit; `where` says which file.
struct Restored {
  TrainProgress progress;
  torch::Tensor noise;  // undefined when the file has none that fits
  EpochData data;
  PictureHistory pictures;
};
Restored restore_snapshot(const Value& snapshot, Players& players, const ModelConfig& model,
                          const std::string& where);

}  // namespace nowhere
