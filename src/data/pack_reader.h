// Reads packed files: every number is checked before it is used, every frame against its checksum.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/file_bytes.h"
#include "data/lmdb_file.h"
#include "data/pack_format.h"
#include "data/photo_frame.h"
#include "data/photos.h"
#include "image/decode.h"

namespace nowhere {

// Opening costs the walk over keys and metadata, not over pixels. Safe to read from many threads.
class PackReader {
 public:
  // Throws a data error: not a packed file, of another version, unfinished, truncated, damaged.
  static PackReader open(const std::filesystem::path& path);

  // The part of open() that looks only at bytes, for the fuzzer and for resuming: no Error, no lock.
  static Result<PackReader> parse(FileBytes file);

  const std::filesystem::path& path() const { return path_; }
  const PackHeader& header() const { return header_; }
  const Photos& photos() const { return photos_; }
  size_t size() const { return frames_.size(); }

  // A record as it stands in the file, read into `bytes` and checked.
  Result<Frame> record(size_t number, std::vector<uint8_t>& bytes) const;
  // Its checksum alone, as the file has it.
  Result<uint64_t> frame_checksum(size_t number) const;

  // The frame of a record: a view of what was read into `bytes` (raw), or decoded into `image`.
  Result<PhotoFrame> frame(size_t number, const Detail& detail, std::vector<uint8_t>& bytes, Decoder& decoder,
                           Image& image) const;

  struct Damage {
    size_t record;
    std::string reason;
  };
  struct Verdict {
    SetDigest digest;  // of the sound records
    std::vector<Damage> damaged;
  };
  // Reads and checks every record on `threads` threads. Throws Stopped soon after stop() says so.
  Verdict verify(
      int threads, const std::function<void(int64_t done)>& progress,
      const std::function<bool()>& stop = [] { return false; }) const;

 private:
  PhotoFrame placed(const Frame& frame) const;
  Result<void> read_value(size_t number, std::vector<uint8_t>& bytes) const;
  Result<void> read_header(const LmdbFile& lmdb);
  Result<void> read_records(const LmdbFile& lmdb);

  std::filesystem::path path_;
  FileBytes file_;
  PackHeader header_;
  Photos photos_;
  std::vector<uint64_t> meta_checksums_;
  std::vector<LmdbFile::Extent> frames_;  // where each record's value lies in the file
};

}  // namespace nowhere
