// Writes packed files through LMDB: whatever was committed survives a kill, and a second run goes on from
// there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/stopwatch.h"
#include "data/pack_format.h"

namespace nowhere {

class PackLmdb;

// What a record was made of. 0 stands for unknown.
struct Origin {
  uint64_t content = 0;  // hash of the file's bytes
  uint64_t stamp = 0;    // of the file: the same as long as nobody touches it (Source::stamp)
};

// A record that is in the pack.
struct KnownRecord {
  uint64_t number = 0;
  uint64_t frame_checksum = 0;
  Origin origin;
};

// Used from one thread. Holds a lock on the file: a second writer is told so.
class PackWriter {
 public:
  // Opens or starts the file. Throws when it holds records of another height, codec or crop, is of another
  // version, is damaged, or is being written by somebody else.
  PackWriter(const std::filesystem::path& path, int height, Codec codec, const CropSize& crop);
  ~PackWriter();
  PackWriter(const PackWriter&) = delete;
  PackWriter& operator=(const PackWriter&) = delete;

  const PackHeader& header() const { return header_; }
  // The records of an identity. More than one where different photographs have it.
  std::vector<KnownRecord> known(std::string_view identity) const;

  // Appends a record. It is on disk after the next commit, which happens by itself now and then.
  void add(std::string_view identity, std::span<const uint8_t> meta, std::span<const uint8_t> frame,
           const Origin& origin);
  // Notes what a record of this identity was made of, so that the next run need not look at its pixels.
  void note_origin(std::string_view identity, const KnownRecord& record);
  // Notes why a photograph cannot be packed, until it is added after all.
  void reject(std::string_view identity, std::string_view path, std::string_view reason);
  // Calls visit(path, reason) for all that are noted, by this run and by earlier ones.
  void visit_rejects(const std::function<void(std::string_view path, std::string_view reason)>& visit) const;
  void commit();
  // Marks the file as complete and notes the source of the records that were added since the last finish().
  void finish(const std::string& source, const boost::json::object& filters);
  // Removes the file if it held no record before this run: an empty pack is of no use.
  void discard_new_file();

 private:
  // Takes over what an existing file says. Throws when it does not fit.
  void read_header(std::string_view text, int height, Codec codec, const CropSize& crop);
  void put_origin(std::string_view identity, const KnownRecord& record);
  void commit_now_and_then();

  std::filesystem::path path_;
  std::unique_ptr<PackLmdb> lmdb_;
  PackHeader header_;
  bool made_the_file_ = false;  // or found it without a record
  uint64_t uncommitted_bytes_ = 0;
  Stopwatch since_commit_;
};

}  // namespace nowhere
