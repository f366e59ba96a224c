#include "run/best_checkpoint.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"

namespace nowhere {

std::optional<BestCheckpoint> read_best(const RunDirectory& run, const std::string& metric) {
  boost::json::object json;
  try {
    json = read_json_file(run.best());
  } catch (const Error&) {
    return std::nullopt;  // it is not there, or damaged: the next epoch's score is the best then
  }
  const auto *known = json.if_contains("metric"), *epoch = json.if_contains("epoch"),
             *score = json.if_contains("score");
  if (known == nullptr || *known != boost::json::value(metric) || epoch == nullptr || !epoch->is_int64() ||
      epoch->as_int64() < 0 || score == nullptr || !score->is_number())
    return std::nullopt;
  return BestCheckpoint{metric, static_cast<uint64_t>(epoch->as_int64()), score->to_number<double>()};
}

void write_best(const RunDirectory& run, const BestCheckpoint& best) {
  const boost::json::object json{{"metric", best.metric}, {"epoch", best.epoch}, {"score", best.score}};
  write_file(run.best(), boost::json::serialize(json) + "\n");
}

}  // namespace nowhere
