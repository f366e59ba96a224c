// The pictures of a run, made from its directory.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "figures/drawn_figures.h"
#include "model/networks.h"
#include "run/run_directory.h"

namespace nowhere {

// As many pictures as the reference keeps of its fixed noise.
inline constexpr int64_t kFigurePictures = 64;

// figures/real.png: what the networks are shown, for the comparison. [N,3,S,S] in [-1,1]
void save_real_pictures(const RunDirectory& run, const torch::Tensor& pictures);

// figures/machine.png alone, which takes a moment: for a run that is being stopped. Like make_figures, it
// never throws.
void make_machine_figure(const RunDirectory& run);

// figures/train_loss.png, machine.png, compare.png, novel_samples.png, log_likelihood.png where epochs were
// judged, videos/progress.gif and progress.html. `seed` is the run's. What there is nothing to draw of is
// passed over; a figure that cannot be made (gnuplot is missing) is reported on stderr, and the others are
// made.
DrawnFigures make_figures(const RunDirectory& run, const Generator& generator, uint64_t seed);

}  // namespace nowhere
