// Encoded pictures that were asked for lately, up to a number of bytes.
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

// Any thread may call anything. What was not used for the longest time goes first.
class BodyCache {
 public:
  explicit BodyCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  std::optional<HttpBody> get(const std::string& key);
  // One that is larger than the whole cache is not kept.
  void put(const std::string& key, HttpBody body);

  struct Figures {
    size_t bytes = 0;
    size_t entries = 0;
  };
  Figures figures() const;

 private:
  struct Entry {
    std::string key;
    HttpBody body;
  };

  const size_t most_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;                                                 // the latest used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;  // views of the entries' keys
  Figures figures_;
};

}  // namespace nowhere
