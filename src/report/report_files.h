// An evaluation as files.
#pragma once

#include <filesystem>
#include <vector>

#include "report/page.h"
#include "report/scores.h"

namespace nowhere {

// Makes the folder where there is none, and throws when nothing can be written into it: to be asked before
// hours of work.
void check_report_folder(const std::filesystem::path& folder);

// Writes index.html, scores.json and the pictures that they name; makes the folder where there is none. The
// plot of the likelihoods goes into `figures_folder` too, where the reference has it, unless that is empty. A
// plot that cannot be drawn (gnuplot is missing) or put there is reported on stderr, and the rest is written.
void write_report(const std::filesystem::path& folder, const Scores& scores, std::vector<Figure> figures,
                  const std::filesystem::path& figures_folder = {});

}  // namespace nowhere
