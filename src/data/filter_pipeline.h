// A selection under way, and the filters that look at whole sequences. Only filter.cpp uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/filter.h"

namespace nowhere {

// Each step removes photographs from left() and is remembered by its flag. The source outlives this.
class FilterPipeline {
 public:
  explicit FilterPipeline(const Source& source);

  const Photos& photos() const { return photos_; }
  const Photo& photo(uint32_t number) const { return photos_.all[number]; }
  std::vector<uint32_t>& left() { return left_; }

  void keep_if(const std::string& flag, const std::function<bool(const Photo&)>& keep);
  // Ends a step that began with `before` photographs. Throws when none is left.
  void finish(const std::string& flag, size_t before);

  // A filter that needs a column says so when a folder (or, in a packed file, every record) lacks it.
  void need(const std::string& flag, const std::string& column, const std::string& table, bool Folder::*has,
            bool only_msls = false) const;

  Selection finished() && { return {std::move(left_), std::move(steps_)}; }

 private:
  const Source& source_;
  const Photos& photos_;
  std::vector<uint32_t> left_;
  std::vector<FilterStep> steps_;
};

void filter_min_move(FilterPipeline& pipeline, const FilterConfig& config);
void filter_max_per_sequence(FilterPipeline& pipeline, const FilterConfig& config);

}  // namespace nowhere
