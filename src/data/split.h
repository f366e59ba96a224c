// Which side of the train / validation / test line a drive stands on.
#pragma once

#include <cstdint>

#include "data/photos.h"

namespace nowhere {

enum class Split : uint8_t { kAll, kTrain, kValidation, kTest };

constexpr double kTrainShare = 0.8;
constexpr double kValidationShare = 0.1;

// By a hash of the drive's key (of the file's name where no drive is known, so that moving a folder moves nothing): near-identical frames of
// one drive are never on both sides, and adding photographs moves none that were there.
Split split_of(const Photos& photos, const Photo& photo);

}  // namespace nowhere
