// The records of a zip archive in memory, read by libzip, each whole and checked against its checksum.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"

struct zip;
struct zip_file;

namespace nowhere {

class ZipReader {
 public:
  // `file` is the whole archive and outlives this.
  static Result<ZipReader> open(std::span<const uint8_t> file);

  std::vector<std::string> names() const;
  bool has(const std::string& name) const;

  // Only records that are not compressed: torch.save does not compress, and such records cannot be larger
  // than the file. Neither can all records read so far together: reading one that is listed many times ends
  // in a failure.
  Result<std::vector<uint8_t>> read(const std::string& name);
  // Fails unless the record holds these bytes. Takes no memory for them.
  Result<void> compare(const std::string& name, std::span<const uint8_t> bytes);

 private:
  struct CloseFile {
    void operator()(zip_file* file) const;
  };
  struct Record {
    std::unique_ptr<zip_file, CloseFile> file;
    uint64_t size = 0;
  };

  Result<Record> open_record(const std::string& name);

  struct Close {
    void operator()(zip* archive) const;
  };

  std::unique_ptr<zip, Close> archive_;
  uint64_t unread_ = 0;  // bytes of the file beyond the records read so far
};

}  // namespace nowhere
