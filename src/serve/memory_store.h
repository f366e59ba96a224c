// A run's files in memory, for tests.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/store.h"
#include "serve/fake_model.h"

namespace nowhere {

// A file that is written again gets another stamp.
class MemoryStore : public Store {
 public:
  std::vector<StoredFile> list() const override {
    gate.pass();
    ++lists;
    const std::lock_guard lock(mutex_);
    std::vector<StoredFile> files;
    for (const auto& [name, file] : files_) files.push_back({name, file.stamp});
    return files;
  }
  Result<StoredBytes> read(const std::string& name) const override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(name);
    if (found == files_.end()) return Failure{name + " is gone"};
    const auto& bytes = found->second.bytes;
    return StoredBytes{*bytes, bytes};
  }
  void write(const std::string& name, std::span<const uint8_t> bytes) override {
    const std::lock_guard lock(mutex_);
    files_[name] = {std::make_shared<const std::vector<uint8_t>>(bytes.begin(), bytes.end()), ++written_};
  }
  void remove(const std::string& name) override {
    const std::lock_guard lock(mutex_);
    files_.erase(name);
  }
  std::optional<uint64_t> stamp(const std::string& name) const override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(name);
    return found == files_.end() ? std::nullopt : std::optional(found->second.stamp);
  }
  std::string location(const std::string& name) const override { return "memory/" + name; }

  mutable TestGate gate;  // before a listing
  mutable std::atomic<int> lists = 0;

 private:
  struct File {
    std::shared_ptr<const std::vector<uint8_t>> bytes;
    uint64_t stamp = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::string, File> files_;
  uint64_t written_ = 0;
};

}  // namespace nowhere
