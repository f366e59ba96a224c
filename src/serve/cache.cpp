#include "serve/cache.h"

#include <utility>

namespace nowhere {
namespace {

constexpr size_t kEntryBytes = 200;  // roughly what the list and the table take per entry

size_t cost(const std::string& key, const HttpBody& body) {
  return key.size() + body.bytes().size() + kEntryBytes;
}

}  // namespace

std::optional<HttpBody> BodyCache::get(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->body;
}

void BodyCache::put(const std::string& key, HttpBody body) {
  const size_t bytes = cost(key, body);
  const std::lock_guard lock(mutex_);
  if (bytes > max_bytes_ || by_key_.contains(key)) return;  // the same key means the same bytes
  while (bytes_ + bytes > max_bytes_) {
    const Entry& oldest = entries_.back();
    bytes_ -= cost(oldest.key, oldest.body);
    by_key_.erase(oldest.key);
    entries_.pop_back();
  }
  entries_.push_front({key, std::move(body)});
  by_key_.emplace(entries_.front().key, entries_.begin());
  bytes_ += bytes;
}

size_t BodyCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace nowhere
