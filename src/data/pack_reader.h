// Reads packed files: every number is checked before it is used, every frame against its checksum.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/file.h"
#include "data/lmdb_file.h"
#include "data/pack_format.h"
#include "data/photos.h"
#include "image/decode.h"

namespace nowhere {

// Frames are read where they lie in the mapped file: opening costs the walk over keys and metadata, not over
// pixels. Safe to read from many threads.
class PackReader {
 public:
  // Throws a data error: not a packed file, of another version, unfinished, truncated, damaged.
  static PackReader open(const std::filesystem::path& path);

  // The parts of open() that look only at bytes, for the fuzzer and for resuming: no Error, no lock.
  static Result<PackReader> parse(MappedFile file);
  static Result<PackReader> parse(std::span<const uint8_t> bytes);

  const std::filesystem::path& path() const { return path_; }
  const PackHeader& header() const { return header_; }
  const Photos& photos() const { return photos_; }
  size_t size() const { return frames_.size(); }

  // A record as it stands in the file, checked.
  Result<Frame> record(size_t number) const;

  // The frame of a record: a view into the file (raw), or decoded into `image`.
  Result<ImageView> frame(size_t record, const Detail& detail, Decoder& decoder, Image& image) const;

  struct Damage {
    size_t record;
    std::string reason;
  };
  struct Verdict {
    SetDigest digest;  // of what is really there
    std::vector<Damage> damaged;
  };
  // Reads and checks every record on `threads` threads. Throws Stopped soon after stop() says so.
  Verdict verify(
      int threads, const std::function<void(int64_t done)>& progress,
      const std::function<bool()>& stop = [] { return false; }) const;

 private:
  Result<void> read_header(const LmdbFile& lmdb);
  Result<void> read_records(const LmdbFile& lmdb);

  std::filesystem::path path_;
  MappedFile file_;
  std::span<const uint8_t> bytes_;
  PackHeader header_;
  Photos photos_;
  std::vector<uint64_t> meta_checksums_;
  struct Extent {
    uint64_t offset = 0;
    uint32_t size = 0;
  };
  std::vector<Extent> frames_;  // where each record's value lies in bytes_
};

}  // namespace nowhere
