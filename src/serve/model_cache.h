// The most recently used models of saved epochs.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "serve/model_provider.h"

namespace nowhere {

class ModelCache {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;
  // Keeps at most `capacity` models. `provider` outlives it.
  ModelCache(ModelProvider& provider, size_t capacity, Now now = std::chrono::steady_clock::now)
      : provider_(provider), capacity_(capacity), now_(std::move(now)) {}

  // Loads the model unless it is cached; null when it is gone, or when an earlier attempt to read the same
  // file failed: at any time where the file is to blame, in the last minute where its store is. May take
  // long, and throws when the first attempt to read a file fails. On the inference thread only.
  std::shared_ptr<Model> get(const SavedEpoch& saved);

  // The digest of a model that has been loaded at some time. Any thread.
  std::optional<std::string> digest_of(const SavedEpoch& saved) const;

 private:
  struct Unreadable {
    uint64_t stamp = 0;
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  };

  ModelProvider& provider_;
  const size_t capacity_;
  const Now now_;
  std::list<std::pair<SavedEpoch, std::shared_ptr<Model>>> models_;  // the most recently used first
  std::map<uint64_t, Unreadable> unreadable_;                        // by epoch
  mutable std::mutex mutex_;                                         // guards what follows
  std::map<uint64_t, std::pair<uint64_t, std::string>> digests_;     // epoch to stamp and digest
};

}  // namespace nowhere
