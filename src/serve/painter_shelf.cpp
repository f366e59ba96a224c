#include "serve/painter_shelf.h"

#include <algorithm>

namespace nowhere {

std::shared_ptr<Painter> PainterShelf::get(const SavedEpoch& saved) {
  const auto found = std::ranges::find(painters_, saved, [](const auto& entry) { return entry.first; });
  if (found != painters_.end()) {
    painters_.splice(painters_.begin(), painters_, found);
    return found->second;
  }
  if (const auto failed = unreadable_.find(saved.epoch);
      failed != unreadable_.end() && failed->second == saved.stamp)
    return nullptr;
  // Room first: two models more than are kept would be in memory otherwise.
  painters_.remove_if([&](const auto& entry) { return entry.first.epoch == saved.epoch; });
  while (!painters_.empty() && painters_.size() >= room_) painters_.pop_back();
  unreadable_[saved.epoch] = saved.stamp;  // unless it is read
  std::shared_ptr<Painter> painter = studio_.load(saved.epoch);
  unreadable_.erase(saved.epoch);
  if (painter == nullptr) return nullptr;
  painters_.emplace_front(saved, painter);
  const std::lock_guard lock(mutex_);
  digests_[saved.epoch] = {saved.stamp, painter->info().digest};
  return painter;
}

std::optional<std::string> PainterShelf::digest_of(const SavedEpoch& saved) const {
  const std::lock_guard lock(mutex_);
  const auto found = digests_.find(saved.epoch);
  if (found == digests_.end() || found->second.first != saved.stamp) return std::nullopt;
  return found->second.second;
}

}  // namespace nowhere
