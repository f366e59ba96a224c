// An evaluation as files.
#pragma once

#include <filesystem>
#include <vector>

#include "report/page.h"
#include "report/scores.h"

namespace nowhere {

// Writes index.html, scores.json and the pictures that they name; makes the folder where there is none. A
// plot that cannot be drawn (gnuplot is missing) is reported on stderr, and the rest is written.
void write_report(const std::filesystem::path& folder, const Scores& scores, std::vector<Figure> figures);

}  // namespace nowhere
