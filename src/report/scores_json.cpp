#include "report/scores_json.h"

#include <fmt/core.h>

#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "report/held_out_text.h"
#include "report/pixel_range.h"
#include "report/sections.h"

namespace nowhere {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

value number(double amount) {
  return std::isfinite(amount) ? value(amount) : value(nullptr);
}

template <class T>
value number(const std::optional<T>& amount) {
  return amount ? value(*amount) : value(nullptr);
}

object to_json(const ModelFacts& model, const std::string& date) {
  return {{"run", printable_text(model.name)},
          {"checkpoint", printable_text(model.file_name)},
          {"date", printable_text(date)},
          {"epoch", model.epoch},
          {"images_seen", model.images_seen > 0 ? value(model.images_seen) : value(nullptr)},
          {"parameters", model.parameters},
          {"picture_size", model.picture_size}};
}

object to_json(const SeenPhotographs& photographs) {
  return {{"seen", photographs.seen}, {"compared", photographs.compared}};
}

object to_json(const JudgedData& data) {
  return {{"name", printable_text(data.name)},
          {"train", data.train},
          {"validation", data.validation},
          {"test", data.test},
          {"split", printable_text(data.split_note)},
          {"by_sequence", data.by_sequence},
          {"held_out", held_out_word(data.held_out)},
          {"held_out_note", printable_text(held_out_text(data))},
          {"trained_on", data.held_out == HeldOut::kUnknown
                             ? value(nullptr)
                             : value(object{{"held_out", to_json(data.held_out_seen)},
                                            {"train", to_json(data.train_seen)}})}};
}

object to_json(const MeanScore& score) {
  return {{"mean", number(score.mean)}, {"standard_error", number(score.error)}};
}

object to_json(const ParzenEpochs& epochs) {
  array points;
  for (const ParzenEpoch& point : epochs.points) {
    object entry = to_json(point.test);
    entry["epoch"] = point.epoch;
    points.push_back(std::move(entry));
  }
  return {{"sigma", number(epochs.sigma)}, {"points", std::move(points)}};
}

object to_json(const ParzenScores::Baseline& baseline) {
  object json = to_json(baseline.test);
  json["sigma"] = number(baseline.sigma);
  json["sigma_on_edge"] = baseline.sigma_on_edge;
  json["photographs"] = baseline.photographs;
  return json;
}

// The scores of the same pictures with pixels in [-1,1].
object signed_to_json(const ParzenScores& parzen) {
  object json{{"pixel_range", array{-1, 1}}, {"sigma", number(parzen.sigma)}, {"test", to_json(parzen.test)}};
  if (parzen.baseline) {
    object baseline = to_json(parzen.baseline->test);
    baseline["sigma"] = number(parzen.baseline->sigma);
    json["real_photographs"] = std::move(baseline);
  }
  return json;
}

object to_json(const ParzenScores& parzen) {
  array grid;
  for (const double sigma : parzen.grid) grid.push_back(number(sigma));
  object json{
      {"pixel_range", array{0, 1}}, {"dimensions", parzen.dimensions},       {"sigma", number(parzen.sigma)},
      {"grid", std::move(grid)},    {"sigma_on_edge", parzen.sigma_on_edge}, {"test", to_json(parzen.test)}};
  if (parzen.baseline) json["real_photographs"] = to_json(*parzen.baseline);
  if (parzen.dimensions > 0) json["signed_pixels"] = signed_to_json(in_signed_pixels(parzen));
  if (parzen.epochs) json["epochs"] = to_json(*parzen.epochs);
  return json;
}

object to_json(const WassersteinScores& scores) {
  array levels;
  for (const WassersteinScores::Level& level : scores.levels)
    levels.push_back(object{{"name", printable_text(level.name)},
                            {"value", number(level.value)},
                            {"floor", number(level.floor)}});
  return {{"levels", std::move(levels)},
          {"mean", number(scores.mean)},
          {"mean_floor", number(scores.mean_floor)},
          {"pictures", scores.pictures},
          {"floor_between", scores.floor_by_sequence ? "sequences" : "files"}};
}

object to_json(const ManifoldScores& scores) {
  return {{"precision", number(scores.precision)},
          {"recall", number(scores.recall)},
          {"density", number(scores.density)},
          {"coverage", number(scores.coverage)}};
}

object to_json(const FeatureScores& scores) {
  object json{{"network", printable_text(scores.network)},
              {"inception", scores.inception},
              {"trained_it", scores.trained_it}};
  json["frechet"] = object{{"name", printable_text(frechet_name(scores))},
                           {"value", number(scores.frechet)},
                           {"floor", number(scores.frechet_floor)}};
  json["kernel"] = object{{"name", printable_text(kernel_name(scores))},
                          {"mean", number(scores.kernel_mean)},
                          {"deviation", number(scores.kernel_deviation)}};
  if (scores.manifold) json["samples"] = to_json(*scores.manifold);
  if (scores.real_manifold) json["real_photographs"] = to_json(*scores.real_manifold);
  return json;
}

object to_json(const MemorisationScores& scores) {
  object json{{"space", printable_text(scores.space)},
              {"relative", scores.relative},
              {"nearer_than_any", number(scores.nearer_than_any)},
              {"nearer_than_1st_percentile", number(scores.nearer_than_1st_percentile)},
              {"sample_median", number(scores.sample_median)},
              {"held_out_median", number(scores.held_out_median)}};
  if (!scores.worst_pairs_file.empty()) json["worst_pairs"] = printable_text(scores.worst_pairs_file);
  return json;
}

object to_json(const CollapseScores& scores) {
  object json{{"diversity_ratio", number(scores.diversity_ratio)}};
  if (scores.birthday)
    json["birthday"] = object{{"batch_size", scores.birthday->batch_size},
                              {"batches", scores.birthday->batches},
                              {"batches_with_duplicate", scores.birthday->batches_with_duplicate},
                              {"support", number(scores.birthday->support)}};
  return json;
}

// The answer to each section's question, for scripts that watch a run.
array verdicts(const Scores& scores) {
  array answers;
  for (const ReportSection& section : report_sections(scores))
    if (section.missing.empty())
      answers.push_back(object{{"question", printable_text(section.question)},
                               {"verdict", tone_word(section.answer.tone)},
                               {"words", printable_text(section.answer.words)}});
  return answers;
}

}  // namespace

object scores_to_json(const Scores& scores) {
  object json{{"model", to_json(scores.model, scores.date)},
              {"data", to_json(scores.data)},
              {"samples", scores.samples}};
  json["verdicts"] = verdicts(scores);
  if (scores.wasserstein) json["sliced_wasserstein"] = to_json(*scores.wasserstein);
  if (scores.features) json["features"] = to_json(*scores.features);
  if (!scores.memorisation.empty()) {
    array spaces;
    for (const MemorisationScores& space : scores.memorisation) spaces.push_back(to_json(space));
    json["memorisation"] = std::move(spaces);
  }
  if (scores.collapse) json["collapse"] = to_json(*scores.collapse);
  if (scores.parzen) json["parzen"] = to_json(*scores.parzen);
  return json;
}

}  // namespace nowhere
