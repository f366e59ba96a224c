// How the learning rate falls over a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/value.h"
#include "train/config.h"

namespace nowhere {

// After `done` of `all` steps: from lr to lr * lr_final along a half cosine.
double scheduled_rate(const TrainConfig& config, uint64_t done, uint64_t all);

// The rate falls towards the last epoch, so another last epoch than the checkpoint's run had means other
// rates: what to tell the user then.
std::optional<std::string> schedule_warning(const TrainConfig& config, const Value& checkpoint);

// The --max-minutes that a checkpoint's run had; 0 when it does not say.
double saved_minutes(const Value& checkpoint);

}  // namespace nowhere
