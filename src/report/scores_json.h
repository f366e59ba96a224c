// Scores as JSON: parts that were not measured are left out, numbers that are not finite are null.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "report/scores.h"

namespace nowhere {

boost::json::object scores_to_json(const Scores& scores);

// What `scores_to_json` wrote about the epochs, for a plot; nothing when they were not scored. null becomes a
// number that is not finite. Throws a data error when they are not as written; `where` names the text: a
// file.
std::optional<ParzenEpochs> parzen_epochs_from_json(const boost::json::object& json,
                                                    const std::string& where);

}  // namespace nowhere
