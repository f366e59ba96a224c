#include <fmt/core.h>

#include "core/error.h"
#include "report/scores_json.h"

namespace nowhere {
namespace {

[[noreturn]] void refuse(const std::string& where, const char* what) {
  throw data_error(fmt::format("{}: {}; write it anew with nowhere evaluate", where, what));
}

double number(const boost::json::object& json, const char* key, const std::string& where) {
  const boost::json::value* found = json.if_contains(key);
  if (found == nullptr || found->is_null()) return kNotMeasured;
  if (!found->is_number()) refuse(where, "a score of an epoch is not a number");
  return found->to_number<double>();
}

ParzenEpoch epoch_from(const boost::json::value& json, const std::string& where) {
  const boost::json::object* entry = json.if_object();
  const boost::json::value* epoch = entry != nullptr ? entry->if_contains("epoch") : nullptr;
  if (epoch == nullptr || !epoch->is_int64()) refuse(where, "an epoch's score has no epoch");
  return {.epoch = epoch->as_int64(),
          .test = {number(*entry, "mean", where), number(*entry, "standard_error", where)}};
}

}  // namespace

std::optional<ParzenEpochs> parzen_epochs_from_json(const boost::json::object& json,
                                                    const std::string& where) {
  const boost::json::value* parzen = json.if_contains("parzen");
  if (parzen == nullptr) return std::nullopt;
  if (!parzen->is_object()) refuse(where, "\"parzen\" is not an object");
  const boost::json::value* epochs = parzen->as_object().if_contains("epochs");
  if (epochs == nullptr) return std::nullopt;
  const boost::json::object* entry = epochs->if_object();
  const boost::json::value* points = entry != nullptr ? entry->if_contains("points") : nullptr;
  if (points == nullptr || !points->is_array()) refuse(where, "\"epochs\" has no list of points");
  ParzenEpochs result{.sigma = number(*entry, "sigma", where)};
  for (const boost::json::value& point : points->as_array())
    result.points.push_back(epoch_from(point, where));
  return result;
}

}  // namespace nowhere
