// Scores as JSON: parts that were not measured are left out, numbers that are not finite are null.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "report/scores.h"

namespace nowhere {

boost::json::object scores_to_json(const Scores& scores);

// The baseline and the epochs of what `scores_to_json` wrote, for a plot; the other fields are not read.
// Nothing when there are no likelihoods. null becomes a number that is not finite. Throws a data error when
// the text is not as written; `where` names the text: a file.
std::optional<ParzenScores> likelihoods_from_json(const boost::json::object& json, const std::string& where);

}  // namespace nowhere
