#include "data/drawn_source.h"

#include <algorithm>

#include "core/hash.h"
#include "core/random.h"

namespace nowhere {
namespace {

Photos table_of(const Photos& all, const std::vector<uint32_t>& drawn) {
  Photos table;
  table.folders = all.folders;
  table.all.reserve(drawn.size());
  for (uint32_t number : drawn) {
    const Photo& original = all.all[number];
    Photo photo = original;
    if (photo.city != kNoString) photo.city = table.cities.add(all.city(original));
    if (photo.sequence != kNoString) photo.sequence = table.sequences.add(all.sequence(original));
    table.set_name(photo, all.name(original));
    table.all.push_back(photo);
  }
  return table;
}

}  // namespace

std::vector<uint32_t> drawn_order(const Photos& photos, const std::vector<uint32_t>& selected,
                                  uint64_t seed) {
  const uint64_t salt = mix64(seed ^ mix64(static_cast<uint64_t>(Purpose::kScore)));
  std::vector<std::pair<uint64_t, uint32_t>> order;
  order.reserve(selected.size());
  for (uint32_t number : selected)
    order.emplace_back(hash64(photos.identity(photos.all[number]), salt), number);
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> drawn;
  drawn.reserve(order.size());
  for (const auto& [key, number] : order) drawn.push_back(number);
  return drawn;
}

DrawnSource::DrawnSource(const Source& source, std::vector<uint32_t> drawn)
    : source_(source), drawn_(std::move(drawn)), photos_(table_of(source.photos(), drawn_)) {}

}  // namespace nowhere
