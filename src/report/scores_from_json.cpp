#include <fmt/core.h>

#include "core/error.h"
#include "report/scores_json.h"

namespace nowhere {
namespace {

[[noreturn]] void refuse(const std::string& where, const char* what) {
  throw data_error(fmt::format("{}: {}; run nowhere evaluate again", where, what));
}

double number(const boost::json::object& json, const char* key, const std::string& where) {
  const boost::json::value* found = json.if_contains(key);
  if (found == nullptr || found->is_null()) return kNotMeasured;
  if (!found->is_number()) refuse(where, "a likelihood is not a number");
  return found->to_number<double>();
}

MeanScore mean_score(const boost::json::object& json, const std::string& where) {
  return {number(json, "mean", where), number(json, "standard_error", where)};
}

ParzenScores::Baseline baseline_from(const boost::json::value& json, const std::string& where) {
  const boost::json::object* entry = json.if_object();
  if (entry == nullptr) refuse(where, "\"real_photographs\" is not an object");
  return {.test = mean_score(*entry, where), .sigma = number(*entry, "sigma", where)};
}

ParzenEpoch epoch_from(const boost::json::value& json, const std::string& where) {
  const boost::json::object* entry = json.if_object();
  const boost::json::value* epoch = entry != nullptr ? entry->if_contains("epoch") : nullptr;
  if (epoch == nullptr || !epoch->is_int64()) refuse(where, "an epoch's score has no epoch");
  return {.epoch = epoch->as_int64(), .test = mean_score(*entry, where)};
}

ParzenEpochs epochs_from(const boost::json::value& json, const std::string& where) {
  const boost::json::object* entry = json.if_object();
  const boost::json::value* points = entry != nullptr ? entry->if_contains("points") : nullptr;
  if (points == nullptr || !points->is_array()) refuse(where, "\"epochs\" has no list of points");
  ParzenEpochs result{.sigma = number(*entry, "sigma", where)};
  for (const boost::json::value& point : points->as_array())
    result.points.push_back(epoch_from(point, where));
  return result;
}

}  // namespace

std::optional<ParzenScores> likelihoods_from_json(const boost::json::object& json, const std::string& where) {
  const boost::json::value* parzen = json.if_contains("parzen");
  if (parzen == nullptr) return std::nullopt;
  if (!parzen->is_object()) refuse(where, "\"parzen\" is not an object");
  ParzenScores scores;
  if (const auto* baseline = parzen->as_object().if_contains("real_photographs"))
    scores.baseline = baseline_from(*baseline, where);
  if (const auto* epochs = parzen->as_object().if_contains("epochs"))
    scores.epochs = epochs_from(*epochs, where);
  return scores;
}

}  // namespace nowhere
