// A file that is there whole or not at all, written piece by piece. For bytes that are in memory already
// there is write_file of core/file.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace nowhere {

class AtomicFile {
 public:
  // Opens a temporary file beside `path`, under a name that no other writer has; throws Error when it cannot.
  // A process that is killed leaves the temporary file behind: "<path>.<digits>.tmp".
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  // removes the temporary file unless it was committed
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Return whether they succeeded; error() has the first reason when not.
  bool write(const void* data, size_t size);
  bool seek(int64_t offset, int whence);
  int64_t tell();
  int error() const { return error_; }  // an errno, or 0

  // Renames the temporary file to `path`. When `durable`, waits until the disk has the file and its name.
  // Throws Error, also when something failed before. Nothing may be called afterwards.
  void commit(bool durable = true);

 private:
  void open_temporary();
  bool note(bool success);
  void sync_folder() const;
  [[noreturn]] void refuse(int reason) const;

  std::filesystem::path path_, temporary_;  // temporary_ is empty once committed
  std::unique_ptr<char[]> buffer_;
  std::FILE* stream_ = nullptr;
  int error_ = 0;
};

}  // namespace nowhere
