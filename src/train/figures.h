// The pictures of a run, made from its directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/source.h"
#include "model/networks.h"
#include "run/run_directory.h"
#include "train/config.h"

namespace nowhere {

// figures/real.png: what the networks are shown, for the comparison.
void save_real_pictures(const RunDirectory& run, const Source& source, const std::vector<uint32_t>& photos,
                        const TrainConfig& config);

// figures/train_loss.png, compare.png, novel_samples.png, log_likelihood.png where epochs were judged, and
// videos/progress.gif. Gives what was drawn. What there is nothing to draw of is passed over; a figure that cannot be made
// (gnuplot is missing) is told on stderr, and the others are made.
std::vector<std::filesystem::path> make_figures(const RunDirectory& run, Generator& generator,
                                                const TrainConfig& config);

}  // namespace nowhere
