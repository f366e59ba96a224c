// A log that only grows: what is appended is in the file whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/descriptor.h"
#include "core/error.h"

namespace nowhere {

// Used by one thread. A write that fails (a full disk) never throws: logs must not end hours of training. What could
// not be written is lost, the file is cut back to its last whole entry, and the next append tries again.
class AppendFile {
 public:
  enum class Open { kNew, kNewOrOld };
  // kNew fails when something has that name already.
  static Result<AppendFile> open(const std::filesystem::path& path, Open how);

  // False when it could not be written.
  bool append(std::string_view bytes);

  // Why the first write failed, for a message to the user; empty while all went well.
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
