// Beginning with what another run has learnt.
#pragma once

#include <filesystem>
#include <string>

#include "archive/value.h"
#include "train/players.h"

namespace nowhere {

// The networks of a run's newest checkpoint, or of a checkpoint.
struct InitialNetworks {
  std::string where;  // the file, for messages
  Value checkpoint;
};

// Reads and checks them before anything is written: `run` is where the new run will be. Throws a data error
// when nothing of the generator fits or weights are not numbers, a usage error when they are the run's own.
InitialNetworks read_initial(const std::filesystem::path& path, const ModelConfig& model,
                             const std::filesystem::path& run);

// Copies what fits into the players: the generator (the average where there is one) and the discriminator,
// but for heads that have learnt on another frozen network. Gives a sentence on what was taken.
std::string begin_with(const InitialNetworks& networks, Players& players);

}  // namespace nowhere
