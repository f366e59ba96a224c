// The pictures of a run, made from its directory.
#pragma once

#include <cstdint>
#include <vector>

#include "data/source.h"
#include "model/networks.h"
#include "train/config.h"
#include "train/run_directory.h"

namespace nowhere {

// figures/real.png: what the networks are shown, for the comparison.
void save_real_pictures(const RunDirectory& run, const Source& source, const std::vector<uint32_t>& photos,
                        const TrainConfig& config);

// figures/train_loss.png, compare.png, novel_samples.png and videos/progress.gif. A figure that cannot be made (gnuplot
// is missing) is told on stderr, and the others are made.
void make_training_figures(const RunDirectory& run, Generator& generator, const TrainConfig& config);

}  // namespace nowhere
