// Every figure of a run, anew, from its directory alone. Free of LibTorch.
#pragma once

#include <filesystem>

#include "figures/drawn_figures.h"

namespace nowhere {

// Throws a data error for what is no run; a figure that cannot be drawn is told on stderr.
DrawnFigures redraw_figures(const std::filesystem::path& run);

}  // namespace nowhere
