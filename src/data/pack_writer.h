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
  bool has(std::string_view identity) const;

  // Appends a record. It is on disk after the next commit, which happens by itself now and then.
  void add(std::string_view identity, std::span<const uint8_t> meta, std::span<const uint8_t> frame);
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
  struct Lmdb;  // the environment, its databases and the open transaction

  void put(unsigned database, std::span<const uint8_t> key, std::span<const uint8_t> value,
           unsigned flags = 0);
  void put_header();
  void commit_now_and_then();

  std::filesystem::path path_;
  std::unique_ptr<Lmdb> lmdb_;
  PackHeader header_;
  bool made_the_file_ = false;  // or found it without a record
  uint64_t uncommitted_bytes_ = 0;
  Stopwatch since_commit_;
};

}  // namespace nowhere
