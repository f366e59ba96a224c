// Encoded pictures that were requested recently, up to a number of bytes.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "net/http.h"

namespace nowhere {

// Any thread may call anything. The least recently used body goes first.
class BodyCache {
 public:
  explicit BodyCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  std::optional<HttpBody> get(const std::string& key);
  // A body larger than the whole cache is not kept.
  void put(const std::string& key, HttpBody body);
  size_t bytes() const;

 private:
  struct Entry {
    std::string key;
    HttpBody body;
  };

  const size_t max_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;                                                 // the most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;  // views of the entries' keys
  size_t bytes_ = 0;
};

}  // namespace nowhere
