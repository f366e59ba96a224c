// Tells a source which photographs will be read, before they are: a slow disk then works on many at once,
// however few threads read.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "data/source.h"

namespace nowhere {

// What may be asked for ahead of what is being read.
struct ReadAheadLimits {
  uint64_t samples = 0;  // 0: nothing is
  uint64_t bytes = 0;
};

// Samples are read in the order of their numbers, by several threads. Safe to call from all of them.
class ReadAhead {
 public:
  // The photograph of a sample, or nothing for one that is not read.
  using PhotoOf = std::function<std::optional<uint32_t>(uint64_t sample)>;

  // The source outlives it.
  ReadAhead(const Source& source, ReadAheadLimits limits, PhotoOf photo_of)
      : source_(source), limits_(limits), photo_of_(std::move(photo_of)) {}

  // A thread is about to read `sample`: asks the source for those after it, up to and without `end`, as far
  // as the limits allow.
  void reading(uint64_t sample, uint64_t end);

 private:
  void collect(uint64_t sample, uint64_t end, std::vector<uint32_t>& photos);

  const Source& source_;
  const ReadAheadLimits limits_;
  const PhotoOf photo_of_;
  std::mutex mutex_;            // guards what follows
  uint64_t first_ = 0;          // sample whose size is in front of sizes_
  std::deque<uint64_t> sizes_;  // bytes of the samples that were asked for and are not being read yet
  uint64_t bytes_ = 0;          // their sum
};

}  // namespace nowhere
