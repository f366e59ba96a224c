// Where the files of a run lie. Readers see this interface only: a folder is one kind of store, a bucket
// another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"

namespace nowhere {

struct StoredFile {
  std::string name;    // without folders
  uint64_t stamp = 0;  // changes when the file does

  auto operator<=>(const StoredFile&) const = default;
};

// A file's content. `owner` keeps the memory alive.
struct StoredBytes {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;
};

// Names are those of files, without folders. Any thread.
class Store {
 public:
  virtual ~Store() = default;

  // All files, in no particular order; none when the place does not exist.
  virtual std::vector<StoredFile> list() const = 0;
  // A failure for what is not there; what cannot be reached may throw an Error.
  virtual Result<StoredBytes> read(const std::string& name) const = 0;
  // The file is there whole, or an Error says why not and what was there before is untouched.
  virtual void write(const std::string& name, std::span<const uint8_t> bytes) = 0;
  // Removing what is not there is no error.
  virtual void remove(const std::string& name) = 0;
  // Nothing when there is no such file.
  virtual std::optional<uint64_t> stamp(const std::string& name) const = 0;

  // A file with its place, for messages: "runs/demo/config.json". Without a name, the place itself.
  virtual std::string location(const std::string& name = "") const = 0;
};

}  // namespace nowhere
