// An evaluation as files. Free of LibTorch.
#pragma once

#include <filesystem>

#include "eval/evaluation.h"

namespace nowhere {

// index.html, scores.json and the pictures that they name, in a folder that is made if need be. A plot that cannot be
// drawn (gnuplot is missing) is told on stderr, and the rest is written.
void write_report(const std::filesystem::path& folder, const Evaluation& evaluation);

}  // namespace nowhere
