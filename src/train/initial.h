// Beginning with what another run has learnt.
#pragma once

#include <filesystem>
#include <string>

#include "train/players.h"

namespace nowhere {

// Copies into the players what fits of a run's newest checkpoint, or of a checkpoint: its generator (the
// average where it has one) and its discriminator. Gives a sentence on what was taken. Throws a data error
// when nothing of the generator fits.
std::string begin_from(const std::filesystem::path& run, Players& players);

}  // namespace nowhere
