#include "data/filter.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/hash.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/text.h"
#include "data/dedup.h"
#include "data/filter_pipeline.h"

namespace nowhere {

void FilterConfig::declare(Options& options) {
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  options.words("city", cities, "A,B", "only these cities");
  options.choice("subset", subset,
                 {{"database", Subset::kDatabase}, {"query", Subset::kQuery}, {"both", Subset::kNone}},
                 "only this half of the MSLS layout");
  options.choice("night", night, {{"yes", YesNo::kYes}, {"no", YesNo::kNo}, {"either", YesNo::kEither}},
                 "only photographs taken at night, or only those taken by day");
  options.words("view", views, "A,B", "only these directions: Forward, Backward, Sideways");
  options.flag("no-pano", no_pano, "leave out panoramas");
  options.flag("no-control-panel", no_control_panel, "leave out pictures that show the car's control panel");
  options.choice("split", split,
                 {{"train", Split::kTrain},
                  {"validation", Split::kValidation},
                  {"test", Split::kTest},
                  {"all", Split::kAll}},
                 "one side of the 80/10/10 split, by sequence");
  options.number("min-move", min_move, 0, 1e6, "drop frames less than X metres from the last one kept");
  options.integer("max-per-sequence", max_per_sequence, 1, kMany,
                  "at most N frames of a sequence, evenly spaced");
  options.flag("dedup", dedup, "drop near-duplicates; reads every picture");
  options.integer("limit", limit, 1, kMany, "at most N photographs, drawn at random");
}

namespace {

void filter_cities(FilterPipeline& pipeline, const FilterConfig& config) {
  if (config.cities.empty()) return;
  std::vector<std::string> known;
  for (uint32_t i = 0; i < pipeline.photos().cities.size(); ++i)
    known.emplace_back(pipeline.photos().cities[i]);
  std::vector<std::string> wanted;  // as the table spells them
  for (const std::string& city : config.cities) wanted.push_back(printable_text(city));
  for (const std::string& city : wanted) {
    if (std::find(known.begin(), known.end(), city) != known.end()) continue;
    std::sort(known.begin(), known.end());
    const auto meant = nearest(city, known);
    throw data_error(
        fmt::format("--city {}: there is no such city{}; there are: {}", city,
                    meant ? fmt::format(" (did you mean {}?)", *meant) : "",
                    known.empty() ? "none, the data are not in the MSLS layout" : join(known, ", ")));
  }
  pipeline.keep_if("--city " + join(wanted, ","), [&](const Photo& photo) {
    return std::find(wanted.begin(), wanted.end(), pipeline.photos().city(photo)) != wanted.end();
  });
}

void filter_attributes(FilterPipeline& pipeline, const FilterConfig& config) {
  if (config.subset != Subset::kNone)
    pipeline.keep_if(fmt::format("--subset {}", name_of(config.subset)),
                     [&](const Photo& photo) { return photo.subset == config.subset; });
  if (config.night != YesNo::kEither) {
    const std::string flag = config.night == YesNo::kYes ? "--night yes" : "--night no";
    const Flag wanted = config.night == YesNo::kYes ? Flag::kYes : Flag::kNo;
    pipeline.need(flag, "night", "postprocessed.csv", &Folder::has_night);
    pipeline.keep_if(flag, [&](const Photo& photo) { return photo.night == wanted; });
  }
  if (!config.views.empty()) {
    std::vector<View> wanted;
    for (const std::string& view : config.views) {
      wanted.push_back(view_from(view));
      if (wanted.back() == View::kUnknown)
        throw usage_error(fmt::format("--view {}: give one or more of Forward, Backward, Sideways", view));
    }
    const std::string flag = "--view " + join(config.views, ",");
    pipeline.need(flag, "view_direction", "postprocessed.csv", &Folder::has_view);
    pipeline.keep_if(flag, [&](const Photo& photo) {
      return std::find(wanted.begin(), wanted.end(), photo.view) != wanted.end();
    });
  }
  if (config.no_pano) {
    pipeline.need("--no-pano", "pano", "raw.csv", &Folder::has_pano);
    pipeline.keep_if("--no-pano", [](const Photo& photo) { return photo.pano == Flag::kNo; });
  }
  if (config.no_control_panel) {
    pipeline.need("--no-control-panel", "control_panel", "postprocessed.csv", &Folder::has_control_panel);
    pipeline.keep_if("--no-control-panel",
                     [](const Photo& photo) { return photo.control_panel == Flag::kNo; });
  }
}

void filter_split(FilterPipeline& pipeline, const FilterConfig& config) {
  if (config.split == Split::kAll) return;
  constexpr const char* kNames[] = {"all", "train", "validation", "test"};
  const std::string flag = fmt::format("--split {}", kNames[static_cast<size_t>(config.split)]);
  // Without the sequences, neighbouring frames would end up on both sides.
  pipeline.need(flag, "sequence_key", "seq_info.csv", &Folder::has_sequence, true);
  pipeline.keep_if(flag,
                   [&](const Photo& photo) { return split_of(pipeline.photos(), photo) == config.split; });
}

void filter_limit(FilterPipeline& pipeline, const FilterConfig& config) {
  std::vector<uint32_t>& left = pipeline.left();
  const auto limit = static_cast<size_t>(config.limit);
  if (config.limit <= 0) return;
  const size_t before = left.size();
  if (left.size() > limit) {
    // The lowest hashes: an even draw that stays nearly the same when photographs are added.
    std::vector<std::pair<uint64_t, uint32_t>> order;
    order.reserve(left.size());
    for (uint32_t number : left)
      order.emplace_back(hash64(pipeline.photos().identity(pipeline.photo(number))), number);
    std::nth_element(order.begin(), order.begin() + config.limit, order.end());
    left.clear();
    for (size_t i = 0; i < limit; ++i) left.push_back(order[i].second);
    std::sort(left.begin(), left.end());
  }
  pipeline.finish(fmt::format("--limit {}", config.limit), before);
}

void filter_duplicates(FilterPipeline& pipeline, const Source& source, int threads,
                       const std::function<void(int64_t, int64_t)>& progress,
                       const std::function<bool()>& stop) {
  constexpr int kHashSide = 32;
  std::vector<uint32_t>& left = pipeline.left();
  const size_t before = left.size();
  std::vector<std::optional<uint64_t>> hashes(before);
  const auto hash = [&](size_t begin, size_t end) {
    Source::Scratch scratch;
    Resizer resizer;
    for (size_t i = begin; i < end && !stop(); ++i)
      if (auto frame = source.frame(left[i], {.side = kHashSide}, scratch))
        hashes[i] = perceptual_hash(frame->view, resizer);
  };
  constexpr size_t kChunk = 32;
  parallel_chunks(before, kChunk, threads, hash,
                  [&](int64_t done) { progress(done, static_cast<int64_t>(before)); });
  if (stop()) throw Stopped();
  NearDuplicates seen;
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < before; ++i) {
    // A picture that cannot be read is not a duplicate; whoever reads it next will say what is wrong with it.
    if (hashes[i] && seen.has_near(*hashes[i])) continue;
    if (hashes[i]) seen.add(*hashes[i]);
    kept.push_back(left[i]);
  }
  left = std::move(kept);
  pipeline.finish("--dedup", before);
}

}  // namespace

Selection select_photos(const Source& source, const FilterConfig& config, int threads,
                        const std::function<void(int64_t, int64_t)>& progress,
                        const std::function<bool()>& stop) {
  FilterPipeline pipeline(source);
  filter_cities(pipeline, config);
  filter_attributes(pipeline, config);
  filter_split(pipeline, config);
  filter_min_move(pipeline, config);
  filter_max_per_sequence(pipeline, config);
  if (config.dedup) filter_duplicates(pipeline, source, threads, progress, stop);
  filter_limit(pipeline, config);
  return std::move(pipeline).finished();
}

}  // namespace nowhere
