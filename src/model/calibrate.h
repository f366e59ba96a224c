// Batch norm statistics that belong to averaged weights.
#pragma once

#include "model/config.h"
#include "model/networks.h"

namespace nowhere {

// A copy of the generator whose running statistics are measured anew on latent vectors of its own. Those that
// an average inherits come from other weights: its pictures would be off in brightness and contrast.
Generator calibrated(const Generator& generator, const ModelConfig& config);

}  // namespace nowhere
