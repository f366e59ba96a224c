// Beginning with what another run has learnt.
#pragma once

#include <string>

#include "archive/value.h"
#include "run/run_reader.h"
#include "train/players.h"

namespace nowhere {

// The networks of a run's newest checkpoint, or of a checkpoint.
struct InitialNetworks {
  std::string where;  // the file, for messages
  Value checkpoint;
};

// Reads and checks them. Throws a data error when nothing of the generator fits or weights are not numbers.
InitialNetworks read_initial(const RunReader& reader, const ModelConfig& model);

// Copies what fits into the players: the generator (the average where there is one) and the discriminator,
// but for heads that have learnt on another frozen network. Gives a sentence on what was taken.
std::string begin_with(const InitialNetworks& networks, Players& players);

}  // namespace nowhere
