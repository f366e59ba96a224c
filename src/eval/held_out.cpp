#include "eval/held_out.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/text.h"
#include "data/split.h"

namespace nowhere {
namespace {

PhotoParts by_split(const Photos& photos) {
  PhotoParts parts;
  for (uint32_t number = 0; number < photos.all.size(); ++number) {
    const Photo& photo = photos.all[number];
    const Split split = split_of(photos, photo);
    (split == Split::kTest         ? parts.test
     : split == Split::kValidation ? parts.validation
                                   : parts.train)
        .push_back(number);
    if (photo.sequence == kNoString) parts.by_sequence = false;
  }
  parts.note = parts.by_sequence ? "parted by sequence: no sequence is in two parts"
                                 : "parted by the names of files, since their sequences are not known";
  return parts;
}

PhotoParts by_tenths(const Photos& photos, const std::string& instead_of) {
  constexpr uint32_t kOneIn = 10;
  PhotoParts parts;
  for (uint32_t number = 0; number < photos.all.size(); ++number)
    (number % kOneIn == kOneIn - 1   ? parts.test
     : number % kOneIn == kOneIn - 2 ? parts.validation
                                     : parts.train)
        .push_back(number);
  parts.by_sequence = false;
  parts.note = fmt::format(
      "every tenth photograph stands for test and another tenth for validation, "
      "whatever their sequences: the split by {} leaves a part too small",
      instead_of);
  return parts;
}

// Places by sequence, the largest first; of equal ones, that which was drawn first. A photograph without a
// sequence is one by itself.
std::vector<std::vector<int64_t>> places_by_sequence(const Photos& photos, std::span<const uint32_t> some) {
  std::vector<std::vector<int64_t>> sequences;
  std::map<uint32_t, size_t> found;
  for (size_t i = 0; i < some.size(); ++i) {
    const uint32_t sequence = photos.all[some[i]].sequence;
    size_t group = sequences.size();
    if (sequence != kNoString) group = found.try_emplace(sequence, group).first->second;
    if (group == sequences.size()) sequences.emplace_back();
    sequences[group].push_back(static_cast<int64_t>(i));
  }
  std::stable_sort(sequences.begin(), sequences.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return sequences;
}

// In the order in which they were drawn, and as many of one as of the other.
void even_out(FloorHalves& halves) {
  const size_t most = std::min(halves.first.size(), halves.second.size());
  for (auto* half : {&halves.first, &halves.second}) {
    std::sort(half->begin(), half->end());
    half->resize(most);
  }
}

}  // namespace

PhotoParts part_photos(const Photos& photos) {
  constexpr size_t kLeast = 8;  // of each part: fewer say nothing
  const auto enough = [](const PhotoParts& parts) {
    return parts.train.size() >= kLeast && parts.validation.size() >= kLeast && parts.test.size() >= kLeast;
  };
  PhotoParts parts = by_split(photos);
  if (!enough(parts)) parts = by_tenths(photos, parts.by_sequence ? "sequence" : "the names of files");
  if (!enough(parts))
    throw data_error(
        fmt::format("{}: too few to judge by, at least {} are needed; give more data or fewer filters",
                    counted(static_cast<int64_t>(photos.all.size()), "photograph"), 10 * kLeast));
  return parts;
}

FloorHalves halves_for_floor(const Photos& photos, std::span<const uint32_t> some) {
  FloorHalves halves;
  const auto sequences = places_by_sequence(photos, some);
  for (const auto& places : sequences) {
    auto& smaller = halves.second.size() < halves.first.size() ? halves.second : halves.first;
    smaller.insert(smaller.end(), places.begin(), places.end());
  }
  // One long sequence beside a few short ones would leave too little to compare.
  constexpr size_t kSmallestShare = 8;
  const bool known = std::all_of(some.begin(), some.end(),
                                 [&](uint32_t number) { return photos.all[number].sequence != kNoString; });
  halves.by_sequence = known && sequences.size() >= 2 &&
                       std::min(halves.first.size(), halves.second.size()) * kSmallestShare >= some.size();
  if (!halves.by_sequence) {
    halves.first.clear();
    halves.second.clear();
    for (size_t i = 0; i < some.size(); ++i)
      (i % 2 == 0 ? halves.first : halves.second).push_back(static_cast<int64_t>(i));
  }
  even_out(halves);
  return halves;
}

}  // namespace nowhere
