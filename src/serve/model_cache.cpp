#include "serve/model_cache.h"

#include <algorithm>

#include "core/error.h"

namespace nowhere {
namespace {

constexpr std::chrono::minutes kStoreRests{1};

}  // namespace

std::shared_ptr<Model> ModelCache::get(const SavedEpoch& saved) {
  const auto found = std::ranges::find(models_, saved, [](const auto& entry) { return entry.first; });
  if (found != models_.end()) {
    models_.splice(models_.begin(), models_, found);
    return found->second;
  }
  if (const auto failed = unreadable_.find(saved.epoch);
      failed != unreadable_.end() && failed->second.stamp == saved.stamp && now_() < failed->second.until)
    return nullptr;
  // Evict before loading: otherwise memory would hold one model more than the capacity.
  models_.remove_if([&](const auto& entry) { return entry.first.epoch == saved.epoch; });
  while (!models_.empty() && models_.size() >= capacity_) models_.pop_back();
  unreadable_[saved.epoch] = {.stamp = saved.stamp};  // stays if load() throws
  std::shared_ptr<Model> model;
  try {
    model = provider_.load(saved.epoch);
  } catch (const Error& error) {
    if (error.exit() == Exit::kFailed) unreadable_[saved.epoch].until = now_() + kStoreRests;
    throw;
  }
  unreadable_.erase(saved.epoch);
  if (model == nullptr) return nullptr;
  models_.emplace_front(saved, model);
  const std::lock_guard lock(mutex_);
  digests_[saved.epoch] = {saved.stamp, model->facts().digest};
  return model;
}

std::optional<std::string> ModelCache::digest_of(const SavedEpoch& saved) const {
  const std::lock_guard lock(mutex_);
  const auto found = digests_.find(saved.epoch);
  if (found == digests_.end() || found->second.first != saved.stamp) return std::nullopt;
  return found->second.second;
}

}  // namespace nowhere
