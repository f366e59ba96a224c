// The loop: batch, step, and once in a while a log line, a picture, a checkpoint.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/background.h"
#include "core/stopwatch.h"
#include "core/trace.h"
#include "data/loader.h"
#include "run/run_directory.h"
#include "train/checkpoints.h"
#include "train/config.h"
#include "train/course.h"
#include "train/health.h"
#include "train/initial.h"
#include "train/profiler.h"
#include "train/recorder.h"
#include "train/scorer.h"
#include "train/snapshot.h"
#include "train/step.h"

namespace nowhere {

// What a trainer works with; all of it outlives the trainer, and the run directory is claimed.
struct TrainerContext {
  const TrainConfig& config;
  const RunDirectory& run;
  const Source& source;
  const std::vector<uint32_t>& photos;
  torch::Device device;
  Precision precision;
  std::string config_text;  // JSON, saved with every checkpoint
  Metrics& metrics;
  bool minutes_given = false;              // --max-minutes is for this session, not what the run had
  std::optional<InitialNetworks> initial;  // what a new run begins with
};

class Trainer {
 public:
  // Begins from the seed, or goes on from a checkpoint.
  Trainer(TrainerContext context, const std::optional<LoadedCheckpoint>& checkpoint);

  ~Trainer();

  enum class End { kDone, kStopped, kTimeUp };
  // Trains to the last epoch, to a stop signal or to the end of the time. Whatever ends it, the state is
  // saved. Throws when the losses stop being numbers.
  End run();

  const TrainProgress& progress() const { return progress_; }
  TimeSplit time() const { return time_so_far(); }
  bool last_save_failed() const { return checkpoints_.failed(); }
  bool profile_missed() const { return profiler_.missed(); }
  bool time_is_up() const { return course_.time_is_up(); }
  // Whose pictures are shown and kept: the average where there is one.
  Generator generator();

 private:
  std::string restore(const LoadedCheckpoint& checkpoint);
  void complete(const CheckpointName& name);
  void open_loader();
  std::optional<End> train_epochs();
  std::optional<Batch> next_batch();
  void count_unreadable(const Batch& batch);
  [[noreturn]] void save_and_stop(const std::string& reason);
  void train_on(const Batch& batch, bool measured);
  LogPoint measure(const Batch& batch);
  bool log(const Batch& batch);
  bool end_epoch();
  bool save();
  void profile();
  bool weights_finite() const;
  void reload_last_checkpoint(const std::string& reason);
  TimeSplit time_so_far() const;

  const TrainerContext context_;
  const TrainConfig& config_;
  Players players_;
  GanStep step_;
  const EpochData data_;
  GeneratorInput noise_;  // 64, fixed
  TrainProgress progress_;
  PictureHistory pictures_;

  Stopwatch watch_;  // since the run began
  Trace trace_;
  std::unique_ptr<Loader> loader_;
  Background background_;
  std::optional<Recorder> recorder_;
  Checkpoints checkpoints_;
  Scorer scorer_;
  Profiler profiler_;
  MachineMonitor machine_;
  Health health_;
  Course course_;

  torch::Tensor real_;  // [N,nc,S,S], the batch under way
  StepResult result_;   // of the last step, on the device
  LogPoint latest_;
  TimeSplit time_;  // of the training thread
  TimeSplit logged_, epoch_begin_;
  int64_t logged_images_ = 0, epoch_images_ = 0;
  size_t epoch_unreadable_ = 0;  // photographs
  bool told_unreadable_ = false;
  double last_save_ = 0;                     // by watch_
  uint64_t last_save_epoch_ = ~uint64_t{0};  // the whole epoch that the last save holds
  uint64_t saved_step_ = 0;                  // the step that the last save holds
  int reloads_ = 0;
};

}  // namespace nowhere
