// Reads an LMDB file without trusting it. LMDB's own reader maps the file, follows the page numbers it finds
// and crashes on a damaged one; this one checks every number against the file before using it and needs no
// lock file. Writing stays LMDB's business (pack_writer).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/file_bytes.h"

namespace nowhere {

class LmdbFile {
 public:
  using Bytes = std::span<const uint8_t>;
  using Visit = std::function<void(Bytes key, Bytes value)>;

  // Where a value lies in the file, all of it inside.
  struct Extent {
    uint64_t offset = 0;
    uint32_t size = 0;
  };
  using VisitExtent = std::function<void(Bytes key, Extent value)>;

  // Whether these are the first bytes of an LMDB file at all; kStart of them are enough to tell.
  static constexpr size_t kStart = 152;
  static bool looks_like_one(Bytes start);

  // `file` outlives this.
  static Result<LmdbFile> open(const FileBytes& file);

  // All entries of a named database in the order of their keys; a database that is not there has none. The
  // failure says at which page the tree is broken. visit_extents touches no page of a large value.
  Result<void> visit(std::string_view database, const Visit& visit) const;
  Result<void> visit_extents(std::string_view database, const VisitExtent& visit) const;

  // A number that grows with every change that was written.
  uint64_t transaction() const { return transaction_; }

  // Whether nothing was ever written into it.
  bool empty() const { return main_root_ == kNoPage; }

  // Both meta pages are sound, all trees can be walked, no page is used twice, and the list of free pages
  // names only unused pages: LMDB can safely write into a file that passes.
  Result<void> check() const;

 private:
  static constexpr uint64_t kNoPage = ~uint64_t{0};

  struct Walk;

  // Reads the first `size` bytes of a page into `bytes`.
  Result<void> read_page(uint64_t number, size_t size, std::vector<uint8_t>& bytes) const;
  Result<void> walk(uint64_t page_number, int depth, Walk& walk) const;
  Result<Extent> large_value(Bytes entry_value, uint32_t size, uint64_t page_number, Walk& walk) const;
  Result<uint64_t> root_of(std::string_view database) const;
  // A value on the way: `here` are its bytes, unless it is large and has pages of its own.
  struct Value {
    Extent extent;
    Bytes here;
  };
  using Each = std::function<Result<void>(uint16_t flags, Bytes key, const Value& value)>;
  // `used`, when given, has a flag for every page; a page whose flag is set already is a failure.
  Result<void> visit_tree(uint64_t root, const Each& each, std::vector<bool>* used = nullptr) const;

  // The bytes of a value, read into `buffer` where they are not here.
  Result<Bytes> bytes_of(const Value& value, std::vector<uint8_t>& buffer) const;

  const FileBytes* file_ = nullptr;
  uint64_t page_size_ = 0;
  uint64_t pages_ = 0;  // that the file says it uses, and has
  uint64_t free_root_ = kNoPage;
  uint64_t main_root_ = kNoPage;
  uint64_t transaction_ = 0;
};

}  // namespace nowhere
