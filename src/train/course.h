// How far a run goes and where it is on the way: to its last epoch, or as many steps as fit into
// --max-minutes. What the learning rate is follows from that alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/loader.h"
#include "train/budget.h"
#include "train/config.h"
#include "train/log_point.h"
#include "train/snapshot.h"

namespace nowhere {

class Course {
 public:
  // Configuration and progress outlive it; the progress holds the plan. `step_images`: of all processes.
  Course(const TrainConfig& config, TrainProgress& progress, int64_t step_images);

  // How many batches an epoch has; a plan that goes beyond the last epoch ends there.
  void set_batches(uint64_t per_epoch);

  // To be told of every step with the seconds since the run began: once the speed is known, how far it goes
  // is settled for good. A sentence when that happens.
  std::optional<std::string> after_step(double seconds);

  bool time_is_up() const;  // the last step that was planned is done
  bool at_the_end() const;  // the last step is done, of the plan or of the last epoch
  double learning_rate() const;
  Position position(const Batch& batch) const;
  double seconds_left(double images_per_second, double seconds) const;

 private:
  bool measuring() const { return config_.max_minutes > 0 && progress_.planned_steps == 0; }
  // In whole epochs of today's length, as a run to its last epoch counts: batches may once have been larger.
  uint64_t steps_done() const { return progress_.epoch * batches_ + progress_.batches; }
  uint64_t steps_of_all_epochs() const { return static_cast<uint64_t>(config_.n_epoch) * batches_; }
  uint64_t last_step() const;

  const TrainConfig& config_;
  TrainProgress& progress_;
  const int64_t step_images_;
  Budget budget_;
  uint64_t batches_ = 1;        // of an epoch
  uint64_t session_steps_ = 0;  // since the seconds began
};

}  // namespace nowhere
