#include "data/read_ahead.h"

#include <algorithm>

namespace nowhere {

void ReadAhead::reading(uint64_t sample, uint64_t end) {
  if (limits_.samples == 0) return;
  std::vector<uint32_t> photos;
  collect(sample, end, photos);
  // Without the lock: the system may make one thread wait, and the others go on.
  for (const uint32_t photo : photos) source_.will_need(photo);
}

void ReadAhead::collect(uint64_t sample, uint64_t end, std::vector<uint32_t>& photos) {
  const std::lock_guard lock(mutex_);
  for (; first_ <= sample && !sizes_.empty(); ++first_) {
    bytes_ -= sizes_.front();
    sizes_.pop_front();
  }
  first_ = std::max(first_, sample + 1);
  end = std::min(end, first_ + limits_.samples);
  while (first_ + sizes_.size() < end) {
    const auto photo = photo_of_(first_ + sizes_.size());
    const uint64_t size = photo ? source_.stored_bytes(*photo) : 0;
    if (bytes_ + size > limits_.bytes) return;
    bytes_ += size;
    sizes_.push_back(size);
    if (size > 0) photos.push_back(*photo);
  }
}

}  // namespace nowhere
