// Reads an LMDB file without trusting it. LMDB's own reader follows the page numbers it finds and crashes on
// a damaged file; this one checks every number against the file before using it, needs no lock file, and
// gives the values where they lie. Writing stays LMDB's business (pack_writer).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace nowhere {

class LmdbFile {
 public:
  using Bytes = std::span<const uint8_t>;
  using Visit = std::function<void(Bytes key, Bytes value)>;

  // Whether these are the first bytes of an LMDB file at all.
  static bool looks_like_one(Bytes bytes);

  // `bytes` is the whole file and outlives this.
  static Result<LmdbFile> open(Bytes bytes);

  // All entries of a named database in the order of their keys; a database that is not there has none. The
  // failure says at which page the tree is broken.
  Result<void> visit(std::string_view database, const Visit& visit) const;

  // Whether nothing was ever written into it.
  bool empty() const { return main_root_ == kNoPage; }

  // Both meta pages are sound, all trees can be walked, no page is used twice, and the list of free pages
  // names only unused pages: LMDB can safely write into a file that passes.
  Result<void> check() const;

 private:
  static constexpr uint64_t kNoPage = ~uint64_t{0};

  struct Walk;

  Result<Bytes> page(uint64_t number) const;
  Result<void> walk(uint64_t page_number, int depth, Walk& walk) const;
  using Each = std::function<Result<void>(uint16_t flags, Bytes key, Bytes value)>;
  // `used`, when given, has a flag for every page; a page whose flag is set already is a failure.
  Result<void> visit_tree(uint64_t root, const Each& each, std::vector<bool>* used = nullptr) const;

  Bytes bytes_;
  uint64_t page_size_ = 0;
  uint64_t pages_ = 0;  // that the file says it uses, and has
  uint64_t free_root_ = kNoPage;
  uint64_t main_root_ = kNoPage;
};

}  // namespace nowhere
