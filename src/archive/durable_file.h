// A file that is there whole or not at all, written piece by piece; write_file of core/file.h does the same for bytes
// that are at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace nowhere {

class DurableFile {
 public:
  // Opens a temporary name beside `path`; throws Error when it cannot.
  explicit DurableFile(std::filesystem::path path);
  ~DurableFile();  // removes the temporary file unless it was committed
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  // Return whether it went well; error() has the first reason when not.
  bool write(const void* data, size_t size);
  bool seek(int64_t offset, int whence);
  int64_t tell();
  int error() const { return error_; }  // an errno, or 0

  // Waits until the disk has it, then gives it its name. Throws Error.
  void commit();

 private:
  bool note(bool well);
  void sync_folder() const;
  [[noreturn]] void refuse(int reason) const;

  std::filesystem::path path_, temporary_;
  std::FILE* stream_ = nullptr;
  int error_ = 0;
};

}  // namespace nowhere
