// The split into training, validation and test photographs.
#pragma once

#include <cstdint>

#include "data/photos.h"

namespace nowhere {

enum class Split : uint8_t { kAll, kTrain, kValidation, kTest };

constexpr double kTrainShare = 0.8;
constexpr double kValidationShare = 0.1;

// By a hash of the sequence's key, or of the file's name where no sequence is known, so that moving a folder
// changes nothing. Near-identical frames of one sequence are never on both sides, and adding photographs
// moves no others.
Split split_of(const Photos& photos, const Photo& photo);

}  // namespace nowhere
