// The painters of saved epochs that were asked for lately.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "serve/painter.h"

namespace nowhere {

class PainterShelf {
 public:
  // Keeps at most `room` painters. `studio` outlives it.
  PainterShelf(Studio& studio, size_t room) : studio_(studio), room_(room) {}

  // Loads it unless it is there; none when it is gone, or could not be read before. May take long, and throws the first time
  // that it cannot be read. On the inference thread only.
  std::shared_ptr<Painter> get(const SavedEpoch& saved);

  // Of a model that was loaded once. Any thread.
  std::optional<std::string> digest_of(const SavedEpoch& saved) const;

 private:
  Studio& studio_;
  const size_t room_;
  std::list<std::pair<SavedEpoch, std::shared_ptr<Painter>>> painters_;  // the latest used first
  std::map<uint64_t, uint64_t> unreadable_;                              // epoch: stamp
  mutable std::mutex mutex_;                                             // of what follows
  std::map<uint64_t, std::pair<uint64_t, std::string>> digests_;         // epoch: stamp and digest
};

}  // namespace nowhere
