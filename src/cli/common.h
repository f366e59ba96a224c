// What the data commands share.
#pragma once

#include <memory>
#include <string>

#include "core/options.h"
#include "core/progress.h"
#include "data/filter.h"
#include "data/source.h"

namespace nowhere {

// "--threads", as many as there are cores unless told.
void declare_threads(Options& options, int& threads);

// The source and what the filters leave of it. Says on stderr how far a slow filter is.
Selection select_with_progress(const Source& source, const FilterConfig& filters, int threads);

// After a stop signal: what the shell expects. 130 for SIGINT, 143 for SIGTERM.
int stopped_exit_code();

// Which filters removed how many, one line each; empty when there were none.
std::string filter_lines(const Selection& selection);

}  // namespace nowhere
