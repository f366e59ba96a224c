// A run, or a lone checkpoint, for those who only read it.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/value.h"
#include "run/checkpoint_name.h"
#include "run/store.h"

namespace nowhere {

// A checkpoint that was found. It is found once and then read: looking again could find another one.
struct CheckpointFile {
  std::string name;    // in its store
  uint64_t epoch = 0;  // by its name; 0 for a file with a name of its own
  uint64_t stamp = 0;

  auto operator<=>(const CheckpointFile&) const = default;
};

// Constant once it is made. Any thread.
class RunReader {
 public:
  // A run directory or a checkpoint (.pt). Throws a data error when nothing is there.
  static RunReader open(const std::filesystem::path& path);
  // All checkpoints of a store, or `only` the one file.
  RunReader(std::shared_ptr<Store> store, std::string name, std::optional<std::string> only = {});

  const std::string& name() const { return name_; }  // of the folder, or of the file without its ending
  bool lone_checkpoint() const { return only_.has_value(); }
  const Store& store() const { return *store_; }
  std::string location(const CheckpointFile& file) const { return store_->location(file.name); }

  // The checkpoint of each epoch, rising, slim before full; those within an epoch are left out. None for a
  // lone checkpoint.
  std::vector<CheckpointFile> epochs() const;
  // The checkpoint to read a generator from: that of the epoch, or the newest, also within an epoch; slim
  // before full. Throws a data error when there is none, a usage error for an epoch of a lone checkpoint.
  CheckpointFile find(std::optional<uint64_t> epoch = {}) const;

  struct Content {
    CheckpointFile file;  // that was read
    Value value;
  };
  // The content of a checkpoint with a generator in it. Slim files of the reference hold a number in place of
  // the weights; for those the full checkpoint beside it is read. Throws a data error.
  Content read(const CheckpointFile& file) const;
  // The same with both networks, where there is a full checkpoint beside a slim one.
  Content read_full(const CheckpointFile& file) const;

  // config.json; nothing when there is none, or none that can be read.
  std::optional<boost::json::object> config() const;
  // The last part of the data's path in config.json, never where it lies; empty when unknown.
  std::string trained_on() const;
  // Which photographs it was trained on, by the newest full checkpoint that says so; nothing when none does.
  std::optional<std::string> data_digest() const;

 private:
  Value read_value(const CheckpointFile& file) const;
  std::optional<CheckpointFile> full_beside(const CheckpointFile& file) const;

  std::shared_ptr<Store> store_;
  std::string name_;
  std::optional<std::string> only_;
};

}  // namespace nowhere
