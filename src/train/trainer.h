// The loop: batch, step, and once in a while a log line, a picture, a checkpoint.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/stopwatch.h"
#include "core/trace.h"
#include "data/loader.h"
#include "train/course.h"
#include "train/device_batches.h"
#include "train/health.h"
#include "train/profiler.h"
#include "train/ranks.h"
#include "train/run_keeper.h"
#include "train/step.h"
#include "train/trainer_context.h"

namespace nowhere {

class Trainer {
 public:
  // Begins from the seed, or goes on from a checkpoint, which rank 0 is given.
  Trainer(TrainerContext context, const std::optional<LoadedCheckpoint>& checkpoint);

  enum class End { kDone, kStopped, kTimeUp };
  // Trains to the last epoch, to a stop signal or to the end of the time. Whatever ends it, the state is
  // saved. Throws when the losses stop being numbers.
  End run();

  const TrainProgress& progress() const { return progress_; }
  TimeSplit time() const { return time_so_far(); }
  bool last_save_failed() const { return keeper_ && keeper_->last_save_failed(); }
  bool profile_missed() const { return profiler_ && profiler_->missed(); }
  bool time_is_up() const { return course_.time_is_up(); }
  int stop_signal() const { return decision_.stop_signal; }  // that stopped it, on whichever rank
  // Whose pictures are shown and kept; rank 0 has them.
  Generator generator() const { return keeper_->generator(); }

 private:
  std::string restore(const LoadedCheckpoint& checkpoint);
  void open_loader();
  std::optional<End> train_epochs();
  bool after_step(const Batch& batch, bool log_due);
  std::optional<DeviceBatch> next_batch();
  void decide();
  void count_unreadable(const Batch& batch);
  [[noreturn]] void save_and_stop();
  void train_on(const DeviceBatch& batch, bool measured);
  LogPoint measure(const Batch& batch);
  bool log(const Batch& batch);
  bool end_epoch();
  bool save();
  void profile();
  void warn(const std::string& line);
  bool weights_finite() const;
  void reload_last_checkpoint(const std::string& reason);
  TimeSplit time_so_far() const;
  double budget_seconds() const {
    return config_.minutes_of == MinutesOf::kCpu ? cpu_watch_.seconds() : watch_.seconds();
  }

  const TrainerContext context_;
  const TrainConfig& config_;
  Ranks ranks_;
  const int64_t step_images_;  // of all ranks
  const uint64_t draw_seed_;   // of the latent vectors of this rank
  Players players_;
  GanStep step_;
  const EpochData data_;
  TrainProgress progress_;

  Stopwatch watch_;  // since the run began
  CpuStopwatch cpu_watch_;
  Trace trace_;
  std::unique_ptr<Loader> loader_;
  std::optional<DeviceBatches> batches_;  // of the loader
  std::unique_ptr<RunKeeper> keeper_;     // rank 0's
  std::optional<Profiler> profiler_;      // likewise
  MachineMonitor machine_;
  Health health_;
  Course course_;

  torch::Tensor real_;  // [N,nc,S,S], the batch under way
  StepResult result_;   // of the last step, on the device
  LogPoint latest_;
  TimeSplit time_;  // of the training thread
  TimeSplit logged_, epoch_begin_;
  int64_t logged_images_ = 0, epoch_images_ = 0;
  size_t epoch_unreadable_ = 0;  // photographs of this rank
  bool told_unreadable_ = false;
  std::string failure_;      // why this rank cannot go on; empty: it can
  Decision decision_;        // after the last step
  double last_save_ = 0;     // by watch_
  uint64_t saved_step_ = 0;  // the step that the last save holds
  int reloads_ = 0;
};

}  // namespace nowhere
