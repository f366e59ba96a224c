#include "eval/held_out.h"

#include <fmt/core.h>

#include "core/error.h"
#include "data/split.h"

namespace nowhere {
namespace {

PhotoParts by_sequence(const Photos& photos, const std::vector<uint32_t>& selected) {
  PhotoParts parts;
  for (uint32_t photo : selected) {
    const Split split = split_of(photos, photos.all[photo]);
    (split == Split::kTest         ? parts.test
     : split == Split::kValidation ? parts.validation
                                   : parts.train)
        .push_back(photo);
  }
  parts.note = "whole sequences were held out";
  return parts;
}

PhotoParts by_photograph(const std::vector<uint32_t>& selected) {
  constexpr size_t kOneIn = 10;
  PhotoParts parts;
  for (size_t i = 0; i < selected.size(); ++i)
    (i % kOneIn == kOneIn - 1   ? parts.test
     : i % kOneIn == kOneIn - 2 ? parts.validation
                                : parts.train)
        .push_back(selected[i]);
  parts.by_sequence = false;
  parts.note =
      "too few sequences to hold any out: every tenth photograph stands for test, "
      "another tenth for validation, though the networks may have trained on them and on their neighbours";
  return parts;
}

}  // namespace

PhotoParts part_photos(const Photos& photos, const std::vector<uint32_t>& selected) {
  constexpr size_t kLeast = 8;  // of each part: fewer say nothing
  const auto enough = [](const PhotoParts& parts) {
    return parts.train.size() >= kLeast && parts.validation.size() >= kLeast && parts.test.size() >= kLeast;
  };
  PhotoParts parts = by_sequence(photos, selected);
  if (!enough(parts)) parts = by_photograph(selected);
  if (!enough(parts))
    throw data_error(
        fmt::format("{} photographs are too few to judge by: at least {} are needed; "
                    "give more data or fewer filters",
                    selected.size(), 10 * kLeast));
  return parts;
}

}  // namespace nowhere
