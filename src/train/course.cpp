#include "train/course.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "train/schedule.h"

namespace nowhere {

Course::Course(const TrainConfig& config, TrainProgress& progress, int64_t step_images)
    : config_(config),
      progress_(progress),
      step_images_(step_images),
      budget_(config.max_minutes * 60, static_cast<uint64_t>(config.r1_gamma > 0 ? config.r1_every : 1)) {}

void Course::set_batches(uint64_t per_epoch) {
  batches_ = per_epoch;
  progress_.planned_steps = std::min(progress_.planned_steps, steps_of_all_epochs());
}

std::optional<std::string> Course::after_step(double seconds) {
  ++session_steps_;
  if (!measuring()) return std::nullopt;
  const auto left = budget_.steps_left(session_steps_, seconds);
  if (!left) return std::nullopt;
  progress_.planned_steps = planned_steps(steps_done(), *left, batches_, steps_of_all_epochs());
  if (*left == 0 || progress_.planned_steps == steps_of_all_epochs()) return std::nullopt;
  return fmt::format("--max-minutes {:g}: time for {} images, so the run ends in epoch {}",
                     config_.max_minutes,
                     with_commas(static_cast<int64_t>(progress_.planned_steps) * step_images_),
                     (progress_.planned_steps + batches_ - 1) / batches_);
}

bool Course::time_is_up() const {
  return progress_.planned_steps > 0 && progress_.planned_steps < steps_of_all_epochs() &&
         steps_done() >= progress_.planned_steps;
}

bool Course::at_the_end() const {
  return steps_done() == last_step();
}

double Course::learning_rate() const {
  return progress_.lr_share * scheduled_rate(config_, steps_done(), last_step());
}

Position Course::position(const Batch& batch) const {
  return {batch.epoch + 1, measuring() ? 0 : (last_step() + batches_ - 1) / batches_, batch.number + 1,
          batches_};
}

double Course::seconds_left(double images_per_second, double seconds) const {
  if (measuring()) return config_.max_minutes * 60 - seconds;
  if (images_per_second <= 0) return 0;
  const double steps = static_cast<double>(last_step()) - static_cast<double>(steps_done());
  return steps * static_cast<double>(step_images_) / images_per_second;
}

uint64_t Course::last_step() const {
  return progress_.planned_steps > 0 ? progress_.planned_steps : steps_of_all_epochs();
}

}  // namespace nowhere
