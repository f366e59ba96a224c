// What the data commands share.
#pragma once

#include <memory>
#include <string>

#include "core/options.h"
#include "core/progress.h"
#include "data/filter.h"
#include "data/source.h"

namespace nowhere {

// "--threads", one per core by default.
void declare_threads(Options& options, int& threads);

// What the filters leave of the source. Reports the progress of a slow filter on stderr.
Selection select_with_progress(const Source& source, const FilterConfig& filters, int threads);

// The exit code that shells expect after a stop signal: 130 for SIGINT, 143 for SIGTERM.
int stopped_exit_code();

// The generator that comes with the program: models/streets-64.pt of the checkout, or where it was installed;
// the file that NOWHERE_MODEL names comes first. Throws a usage error when there is none: RUN has to be given
// then.
std::string shipped_model();

// How many photographs each filter removed, one line each; empty without filters.
std::string filter_lines(const Selection& selection);

}  // namespace nowhere
