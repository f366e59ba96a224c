#include "data/filter_pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/file.h"
#include "core/text.h"

namespace nowhere {

FilterPipeline::FilterPipeline(const Source& source) : source_(source), photos_(source.photos()) {
  left_.resize(photos_.all.size());
  for (size_t i = 0; i < left_.size(); ++i) left_[i] = static_cast<uint32_t>(i);
}

void FilterPipeline::keep_if(const std::string& flag, const std::function<bool(const Photo&)>& keep) {
  const size_t before = left_.size();
  std::erase_if(left_, [&](uint32_t number) { return !keep(photo(number)); });
  finish(flag, before);
}

void FilterPipeline::finish(const std::string& flag, size_t before) {
  steps_.push_back({flag, before - left_.size()});
  if (!left_.empty()) return;
  std::string earlier;
  for (size_t i = 0; i + 1 < steps_.size(); ++i) earlier += (i == 0 ? " after " : ", ") + steps_[i].flag;
  const std::string last =
      before == 1 ? "one" : fmt::format("{} of them", with_commas(static_cast<int64_t>(before)));
  throw data_error(fmt::format(
      "no photograph of {} is left: {} removed the last {}{}{}", source_.name(), flag, last, earlier,
      flag.starts_with("--split") ? "; it splits by sequence, and a few sequences may leave a side empty"
                                  : ""));
}

void FilterPipeline::need(const std::string& flag, const std::string& column, const std::string& table,
                          bool Folder::*has, bool only_msls) const {
  for (uint32_t number : left_) {
    const Folder& folder = photos_.folders[photo(number).folder];
    if (folder.*has || (only_msls && photo(number).subset == Subset::kNone)) continue;
    throw data_error(
        fmt::format("{} needs the column '{}' of {}, which is missing for {}; leave the flag out, or add it",
                    flag, column, table, printable(folder.path)));
  }
}

namespace {

// Calls visit(frames of one sequence in the order they were taken) for each sequence among what is left, and
// keeps the frames that it leaves in the list. Photographs without a sequence stay.
template <class Visit>
void filter_sequences(FilterPipeline& pipeline, const std::string& flag, const Visit& visit) {
  pipeline.need(flag, "sequence_key", "seq_info.csv", &Folder::has_sequence);
  std::vector<uint32_t>& left = pipeline.left();
  const size_t before = left.size();
  std::vector<uint32_t> kept;
  std::unordered_map<uint32_t, std::vector<uint32_t>> sequences;
  for (uint32_t number : left) {
    const uint32_t sequence = pipeline.photo(number).sequence;
    (sequence == kNoString ? kept : sequences[sequence]).push_back(number);
  }
  for (auto& [sequence, frames] : sequences) {
    std::stable_sort(frames.begin(), frames.end(), [&](uint32_t a, uint32_t b) {
      return pipeline.photo(a).frame < pipeline.photo(b).frame;
    });
    visit(frames);
    kept.insert(kept.end(), frames.begin(), frames.end());
  }
  std::sort(kept.begin(), kept.end());
  left = std::move(kept);
  pipeline.finish(flag, before);
}

}  // namespace

void filter_min_move(FilterPipeline& pipeline, const FilterConfig& config) {
  if (config.min_move <= 0) return;
  const std::string flag = fmt::format("--min-move {}", config.min_move);
  pipeline.need(flag, "easting' and 'northing", "postprocessed.csv", &Folder::has_position);
  filter_sequences(pipeline, flag, [&](std::vector<uint32_t>& frames) {
    const Photo* last = nullptr;
    std::erase_if(frames, [&](uint32_t number) {
      const Photo& photo = pipeline.photo(number);
      if (!photo.has_position) return false;
      if (last != nullptr &&
          std::hypot(photo.easting - last->easting, photo.northing - last->northing) < config.min_move)
        return true;
      last = &photo;
      return false;
    });
  });
}

void filter_max_per_sequence(FilterPipeline& pipeline, const FilterConfig& config) {
  if (config.max_per_sequence <= 0) return;
  const auto limit = static_cast<size_t>(config.max_per_sequence);
  filter_sequences(pipeline, fmt::format("--max-per-sequence {}", limit), [&](std::vector<uint32_t>& frames) {
    if (frames.size() <= limit) return;
    std::vector<uint32_t> spaced(limit);
    for (size_t i = 0; i < limit; ++i) spaced[i] = frames[(2 * i + 1) * frames.size() / (2 * limit)];
    frames = std::move(spaced);
  });
}

}  // namespace nowhere
