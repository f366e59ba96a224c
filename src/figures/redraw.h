// Every figure of a run, anew, from its directory alone. Free of LibTorch.
#pragma once

#include <filesystem>
#include <vector>

namespace nowhere {

// What was drawn. Throws a data error for what is no run; a single figure that cannot be drawn is told on
// stderr.
std::vector<std::filesystem::path> redraw_figures(const std::filesystem::path& run);

}  // namespace nowhere
