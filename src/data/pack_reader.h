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

// What the walk over packed files finds, in its order. The photographs' folders are left to the caller.
struct PackTable {
  Photos photos;
  std::vector<LmdbFile::Extent> frames;  // where each record's value lies in its file
  std::vector<uint64_t> meta_checksums;
};

// Opening costs the walk over keys and metadata, not over pixels. Safe to read from many threads.
class PackReader {
 public:
  using Extent = LmdbFile::Extent;

  // Throws a data error: not a packed file, of another version, unfinished, truncated, damaged.
  static PackReader open(const std::filesystem::path& path);
  // The same without the walk, for whoever knows where the records lie or walks by itself: size() is 0.
  static PackReader open_header(const std::filesystem::path& path);

  // The part of open() that looks only at bytes, for the fuzzer and for resuming: no Error, no lock.
  static Result<PackReader> parse(FileBytes file);

  const std::filesystem::path& path() const { return path_; }
  const PackHeader& header() const { return header_; }
  const Photos& photos() const { return table_.photos; }
  size_t size() const { return table_.frames.size(); }
  uint64_t file_size() const { return file_.size(); }
  // Another number after any change of the file.
  uint64_t stamp() const;

  // The walk: adds all records to the table. Throws a data error when the file is damaged.
  void add_records_to(PackTable& table) const;

  // A record as it stands in the file, read into `bytes` and checked.
  Result<Frame> record(size_t number, std::vector<uint8_t>& bytes) const;
  // Its checksum alone, as the file has it.
  Result<uint64_t> frame_checksum(size_t number) const;

  // The frame of a record: a view of what was read into `bytes` (raw), or decoded into `image`.
  Result<PhotoFrame> frame(size_t number, const Detail& detail, std::vector<uint8_t>& bytes, Decoder& decoder,
                           Image& image) const;

  // The same for a record that lies at a place of the file. Reasons do not say which record it is.
  Result<Frame> record_at(Extent place, std::vector<uint8_t>& bytes) const;
  Result<uint64_t> frame_checksum_at(Extent place) const;
  Result<PhotoFrame> frame_at(Extent place, const Detail& detail, std::vector<uint8_t>& bytes,
                              Decoder& decoder, Image& image) const;
  // Asks the system to fetch it from the disk, and does not wait.
  void will_need(Extent place) const { file_.will_need(place.offset, place.size); }

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
  static Result<PackReader> parse_header(FileBytes file);
  Result<void> read_header(const LmdbFile& lmdb);
  Result<void> read_records(PackTable& table) const;

  std::filesystem::path path_;
  FileBytes file_;
  PackHeader header_;
  uint64_t transaction_ = 0;
  PackTable table_;
};

// The columns of a table that come from packed files: those of which any record knows the value.
Folder packed_columns(const Photos& photos);

}  // namespace nowhere
