// Every figure of a run, anew. Free of LibTorch.
#pragma once

#include <filesystem>

#include "figures/drawn_figures.h"
#include "run/run_reader.h"

namespace nowhere {

// Of the newest checkpoint and of what the folder holds: statistics, scores, pictures of the fixed noise.
// Figures go there too; it is the run's own, or another one for a run that lies elsewhere. Throws a data
// error for what is no run; a figure that cannot be drawn is told on stderr.
DrawnFigures redraw_figures(const RunReader& reader, const std::filesystem::path& folder);

}  // namespace nowhere
