// The bytes of a packed file, read where they are asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/descriptor.h"
#include "core/error.h"

namespace nowhere {

// Reads with pread and maps nothing: when the file is cut short or the disk fails in the middle of a run, a
// read fails, where touching mapped memory would end the process by SIGBUS. Safe to read from many threads.
class FileBytes {
 public:
  static Result<FileBytes> open(const std::filesystem::path& path);
  // Bytes in memory that outlive this, for tests and the fuzzer.
  explicit FileBytes(std::span<const uint8_t> memory) : memory_(memory), size_(memory.size()) {}
  FileBytes() = default;

  uint64_t size() const { return size_; }  // when it was opened
  // Of which file it was then, and when that was changed last; 0 for memory. The device's number is no part
  // of it: machines that share a disk know it by different ones.
  uint64_t stamp() const { return stamp_; }

  // Fills `into` with the bytes from `offset` on.
  Result<void> read(uint64_t offset, std::span<uint8_t> into) const;
  // Asks the system to fetch these bytes from the disk, and does not wait for them.
  void will_need(uint64_t offset, uint64_t size) const;

 private:
  Descriptor file_;  // none: the bytes are in memory
  std::span<const uint8_t> memory_;
  uint64_t size_ = 0;
  uint64_t stamp_ = 0;
};

}  // namespace nowhere
