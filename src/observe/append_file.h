// A log that only grows: an entry is in the file whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/descriptor.h"
#include "core/error.h"

namespace nowhere {

// Used by one thread. A failed write (a full disk) never throws: a log must not end hours of training. The
// entry is lost, the file is truncated to its last whole entry, and the next append tries again.
class AppendFile {
 public:
  enum class Open { kNew, kNewOrExisting };
  // kNew fails when the file exists already.
  static Result<AppendFile> open(const std::filesystem::path& path, Open how);

  // False when it could not be written.
  bool append(std::string_view bytes);

  // Why the first failed write failed, for a message to the user; empty when none did.
  const std::string& failure() const { return failure_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  AppendFile(std::filesystem::path path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  void fail(int error_number);

  std::filesystem::path path_;
  Descriptor file_;
  std::string failure_;
};

}  // namespace nowhere
