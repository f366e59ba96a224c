// Scores as curves.
#pragma once

#include <optional>

#include "plot/plot.h"
#include "report/scores.h"

namespace nowhere {

// The likelihood over the epochs with error bars, and the level that real photographs reach where it is
// known.
Plot parzen_epochs_plot(const ParzenEpochs& epochs,
                        const std::optional<ParzenScores::Baseline>& baseline = {});

}  // namespace nowhere
