// Keeps a run: its record, its pictures and its checkpoints. One process of a run does that for all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/background.h"
#include "observe/time_split.h"
#include "train/checkpoints.h"
#include "train/epoch_data.h"
#include "train/log_point.h"
#include "train/players.h"
#include "train/recorder.h"
#include "train/scorer.h"
#include "train/snapshot.h"
#include "train/trainer_context.h"

namespace nowhere {

class RunKeeper {
 public:
  // What is passed outlives it.
  RunKeeper(const TrainerContext& context, const Players& players, const EpochData& data);
  ~RunKeeper();

  // Goes on with the pictures and the fixed noise of a checkpoint.
  void restore(PictureHistory pictures, const torch::Tensor& noise);
  // To be called before anything is recorded: what a run recorded beyond these images is forgotten.
  void record_from(int64_t images);
  Recorder& recorder() { return *recorder_; }

  // What belongs to a checkpoint is written after it: of a run that was killed in between, it is missing.
  void complete(const CheckpointName& name, const TrainProgress& progress);

  // Between epochs with all that belongs to it, within one the checkpoint alone. Written in the background;
  // gives what the training thread spent on it.
  TimeSplit save(const TrainProgress& progress, const LogPoint& latest);
  void finish() { background_.finish(); }  // waits for what is written in the background
  bool last_save_failed() const { return checkpoints_.failed(); }

  // Whose pictures are shown and kept: the average where there is one.
  Generator generator() const;

 private:
  const TrainerContext& context_;
  const TrainConfig& config_;
  const Players& players_;
  const EpochData& data_;
  GeneratorInput noise_;  // 64, fixed
  PictureHistory pictures_;
  Background background_;
  std::optional<Recorder> recorder_;
  Checkpoints checkpoints_;
  Scorer scorer_;
};

}  // namespace nowhere
