#include "data/lmdb_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace nowhere {
namespace {

static_assert(std::endian::native == std::endian::little,
              "LMDB files are in the byte order of their machine");

constexpr uint32_t kMagic = 0xbeefc0de;
constexpr uint32_t kVersion = 1;
// number (8), unused (2), flags (2), then lower and upper (2 + 2) or pages (4)
constexpr size_t kPageHeader = 16;
constexpr size_t kNodeHeader = 8;  // size low (2), size high (2), flags (2), key size (2)
constexpr uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4, kMeta = 8;
constexpr uint16_t kBigData = 1, kSubData = 2, kDupData = 4;
constexpr int kMaxDepth = 32;

// Offsets inside a meta page, after the page header: magic, version, address, map size, two databases (free
// pages, main), last page, transaction.
constexpr size_t kMetaMagic = 16, kMetaVersion = 20, kMetaFree = 40, kMetaMain = 88, kMetaLastPage = 136,
                 kMetaTransaction = 144, kMetaEnd = 152;
constexpr size_t kDatabaseRoot = 40, kDatabaseSize = 48;

using Bytes = LmdbFile::Bytes;

// The caller has checked that the bytes are there.
template <class T>
T read(Bytes bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

Failure broken(uint64_t page, std::string_view what) {
  return Failure{fmt::format("page {}: {}", page, what)};
}

bool is_meta(Bytes page) {
  return read<uint16_t>(page, 10) & kMeta && read<uint32_t>(page, kMetaMagic) == kMagic;
}

}  // namespace

bool LmdbFile::looks_like_one(Bytes bytes) {
  return bytes.size() >= kMetaEnd && is_meta(bytes);
}

Result<LmdbFile> LmdbFile::open(Bytes bytes) {
  if (!looks_like_one(bytes)) return Failure{"not a packed file"};
  if (read<uint32_t>(bytes, kMetaVersion) != kVersion) return Failure{"an LMDB file of another version"};
  LmdbFile file;
  file.bytes_ = bytes;
  file.page_size_ = read<uint32_t>(bytes, kMetaFree);  // kept in an unused field of the first database
  if (file.page_size_ < 512 || file.page_size_ > 65536 || !std::has_single_bit(file.page_size_))
    return broken(0, "impossible page size");
  if (bytes.size() < 2 * file.page_size_) return Failure{"truncated: it ends within its first two pages"};
  // Two meta pages take turns; the one of the later transaction counts.
  const Bytes second = bytes.subspan(file.page_size_, file.page_size_);
  Bytes meta = bytes.first(file.page_size_);
  if (is_meta(second) && read<uint64_t>(second, kMetaTransaction) > read<uint64_t>(meta, kMetaTransaction))
    meta = second;
  file.free_root_ = read<uint64_t>(meta, kMetaFree + kDatabaseRoot);
  file.main_root_ = read<uint64_t>(meta, kMetaMain + kDatabaseRoot);
  const uint64_t last = read<uint64_t>(meta, kMetaLastPage);
  const uint64_t have = bytes.size() / file.page_size_;
  if (last >= have)
    return Failure{fmt::format("truncated: it has {} of {} pages of {} bytes", have,
                               last == kNoPage ? last : last + 1, file.page_size_)};
  file.pages_ = last + 1;
  return file;
}

Result<Bytes> LmdbFile::page(uint64_t number) const {
  if (number < 2 || number >= pages_) return broken(number, "no such page");
  const Bytes bytes = bytes_.subspan(number * page_size_, page_size_);
  if (read<uint64_t>(bytes, 0) != number) return broken(number, "it says that it is another page");
  return bytes;
}

// One walk over a tree: what to do with a leaf's entries, and how many pages may still be visited, which ends
// the walk over a tree with a cycle.
struct LmdbFile::Walk {
  const Each& each;
  uint64_t pages_left;
  std::vector<bool>* used;

  // Notes that pages are used; false when one of them was used before.
  bool use(uint64_t first, uint64_t count) {
    if (used == nullptr) return true;
    for (uint64_t page = first; page < first + count; ++page) {
      if ((*used)[page]) return false;
      (*used)[page] = true;
    }
    return true;
  }
};

namespace {

// The number of entries of a branch or leaf page, once its slots are known to lie inside it.
Result<size_t> entry_count(Bytes page, uint64_t number) {
  const size_t lower = read<uint16_t>(page, 12), upper = read<uint16_t>(page, 14);
  if (lower < kPageHeader || lower > upper || upper > page.size() || lower % 2 != 0)
    return broken(number, "its bounds are impossible");
  return (lower - kPageHeader) / 2;
}

// An entry of a page: its header and key lie inside the page.
Result<Bytes> entry_at(Bytes page, uint64_t number, size_t index) {
  const size_t offset = read<uint16_t>(page, kPageHeader + 2 * index);
  if (offset < kPageHeader || offset + kNodeHeader > page.size())
    return broken(number, "an entry lies outside");
  const Bytes entry = page.subspan(offset);
  if (kNodeHeader + read<uint16_t>(entry, 6) > entry.size()) return broken(number, "a key reaches outside");
  return entry;
}

}  // namespace

Result<void> LmdbFile::walk(uint64_t number, int depth, Walk& walk_state) const {
  if (depth > kMaxDepth || walk_state.pages_left-- == 0)
    return broken(number, "the tree is too deep or has a cycle");
  const auto found = page(number);
  if (!found) return found.error();
  if (!walk_state.use(number, 1)) return broken(number, "used twice");
  const uint16_t flags = read<uint16_t>(*found, 10) & (kBranch | kLeaf | kOverflow | kMeta);
  if (flags != kBranch && flags != kLeaf) return broken(number, "neither a branch nor a leaf");
  const auto count = entry_count(*found, number);
  if (!count) return count.error();
  for (size_t i = 0; i < *count; ++i) {
    const auto entry = entry_at(*found, number, i);
    if (!entry) return entry.error();
    const uint64_t low = read<uint16_t>(*entry, 0), high = read<uint16_t>(*entry, 2),
                   entry_flags = read<uint16_t>(*entry, 4);
    if (flags == kBranch) {
      if (auto below = walk(low | high << 16 | entry_flags << 32, depth + 1, walk_state); !below)
        return below;
      continue;
    }
    const Bytes key = entry->subspan(kNodeHeader, read<uint16_t>(*entry, 6));
    const uint64_t size = low | high << 16;
    Bytes value = entry->subspan(kNodeHeader + key.size());
    if (entry_flags & kDupData) return broken(number, "an entry of a kind that is never written");
    if (entry_flags & kBigData) {
      if (value.size() < 8) return broken(number, "an entry reaches outside");
      const uint64_t first = read<uint64_t>(value, 0);
      const auto overflow = page(first);
      if (!overflow) return overflow.error();
      const uint64_t run = read<uint32_t>(*overflow, 12);  // pages of the record
      if (!(read<uint16_t>(*overflow, 10) & kOverflow) || run == 0 || run > pages_ - first)
        return broken(first, "not the pages of a large record");
      if (!walk_state.use(first, run)) return broken(first, "used twice");
      value = bytes_.subspan(first * page_size_ + kPageHeader, run * page_size_ - kPageHeader);
    }
    if (size > value.size()) return broken(number, "a record reaches outside");
    if (auto done = walk_state.each(static_cast<uint16_t>(entry_flags), key, value.first(size)); !done)
      return done;
  }
  return {};
}

Result<void> LmdbFile::visit_tree(uint64_t root, const Each& each, std::vector<bool>* used) const {
  if (root == kNoPage) return {};
  Walk state{each, pages_, used};
  return walk(root, 0, state);
}

Result<void> LmdbFile::visit(std::string_view database, const Visit& visit) const {
  uint64_t root = kNoPage;
  auto found = visit_tree(main_root_, [&](uint16_t flags, Bytes key, Bytes value) -> Result<void> {
    if (!(flags & kSubData) || value.size() != kDatabaseSize) return {};
    if (std::string_view(reinterpret_cast<const char*>(key.data()), key.size()) == database)
      root = read<uint64_t>(value, kDatabaseRoot);
    return {};
  });
  if (!found) return found;
  return visit_tree(root, [&](uint16_t, Bytes key, Bytes value) -> Result<void> {
    visit(key, value);
    return {};
  });
}

Result<void> LmdbFile::check() const {
  const Bytes second = bytes_.subspan(page_size_, page_size_);
  if (!is_meta(second) || read<uint32_t>(second, kMetaVersion) != kVersion ||
      read<uint32_t>(second, kMetaFree) != page_size_)
    return broken(1, "not a meta page");
  std::vector<bool> used(pages_, false);
  const Each ignore = [](uint16_t, Bytes, Bytes) -> Result<void> { return {}; };
  auto main_tree = visit_tree(
      main_root_,
      [&](uint16_t flags, Bytes, Bytes value) -> Result<void> {
        if (!(flags & kSubData)) return {};
        if (value.size() != kDatabaseSize) return Failure{"a database's entry has the wrong size"};
        return visit_tree(read<uint64_t>(value, kDatabaseRoot), ignore, &used);
      },
      &used);
  if (!main_tree) return main_tree;
  // Entries of the free list: how many pages, then their numbers, highest first.
  std::vector<uint64_t> free_pages;
  auto free_tree = visit_tree(
      free_root_,
      [&](uint16_t, Bytes key, Bytes value) -> Result<void> {
        const Failure wrong{"the list of free pages is damaged"};
        if (key.size() != 8 || value.size() < 8) return wrong;
        const uint64_t count = read<uint64_t>(value, 0);
        if (count > value.size() / 8 - 1) return wrong;
        for (uint64_t i = 1; i <= count; ++i) {
          free_pages.push_back(read<uint64_t>(value, 8 * i));
          if (i > 1 && free_pages.back() >= read<uint64_t>(value, 8 * (i - 1))) return wrong;
        }
        return {};
      },
      &used);
  if (!free_tree) return free_tree;
  for (uint64_t page : free_pages) {
    if (page < 2 || page >= pages_ || used[page]) return broken(page, "listed as free, and not");
    used[page] = true;
  }
  return {};
}

}  // namespace nowhere
