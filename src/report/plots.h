// Scores as curves.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "plot/plot.h"
#include "report/scores.h"

namespace nowhere {

// The likelihood over the epochs with error bars, and the level that real photographs reach where it is
// known. Nothing when the epochs were not scored.
std::optional<Plot> log_likelihood_plot(const ParzenScores& parzen);

// The same plot from what `scores_to_json` wrote. Throws a data error when the text is not as written;
// `where` names the text: a file.
std::optional<Plot> log_likelihood_plot(const boost::json::object& scores, const std::string& where);

}  // namespace nowhere
