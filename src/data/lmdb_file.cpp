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
constexpr uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4, kMetaPage = 8;
constexpr uint16_t kBigData = 1, kSubData = 2, kDupData = 4;
constexpr int kMaxDepth = 32;

// Offsets inside a meta page, after the page header: magic, version, address, map size, two databases (free
// pages, main), last page, transaction.
constexpr size_t kMetaMagic = 16, kMetaVersion = 20, kMetaFree = 40, kMetaMain = 88, kMetaLastPage = 136,
                 kMetaTransaction = 144;
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
  return read<uint16_t>(page, 10) & kMetaPage && read<uint32_t>(page, kMetaMagic) == kMagic;
}

}  // namespace

bool LmdbFile::looks_like_one(Bytes start) {
  return start.size() >= kStart && is_meta(start);
}

Result<LmdbFile> LmdbFile::open(const FileBytes& bytes) {
  std::vector<uint8_t> meta(kStart), second(kStart);
  if (bytes.size() < kStart) return Failure{"not a packed file"};
  if (auto read_first = bytes.read(0, meta); !read_first) return read_first.error();
  if (!looks_like_one(meta)) return Failure{"not a packed file"};
  if (read<uint32_t>(meta, kMetaVersion) != kVersion) return Failure{"an LMDB file of another version"};
  LmdbFile file;
  file.file_ = &bytes;
  file.page_size_ = read<uint32_t>(meta, kMetaFree);  // kept in an unused field of the first database
  if (file.page_size_ < 512 || file.page_size_ > 65536 || !std::has_single_bit(file.page_size_))
    return broken(0, "impossible page size");
  if (bytes.size() < 2 * file.page_size_) return Failure{"truncated: it ends within its first two pages"};
  // Two meta pages take turns; the one of the later transaction counts.
  if (auto read_second = bytes.read(file.page_size_, second); !read_second) return read_second.error();
  if (is_meta(second) && read<uint64_t>(second, kMetaTransaction) > read<uint64_t>(meta, kMetaTransaction))
    meta = second;
  file.transaction_ = read<uint64_t>(meta, kMetaTransaction);
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

Result<void> LmdbFile::read_page(uint64_t number, size_t size, std::vector<uint8_t>& bytes) const {
  if (number < 2 || number >= pages_) return broken(number, "no such page");
  bytes.resize(size);
  if (auto done = file_->read(number * page_size_, bytes); !done) return broken(number, done.error().reason);
  if (read<uint64_t>(bytes, 0) != number) return broken(number, "it says that it is another page");
  return {};
}

Result<Bytes> LmdbFile::bytes_of(const Value& value, std::vector<uint8_t>& buffer) const {
  if (value.here.size() == value.extent.size) return value.here;
  buffer.resize(value.extent.size);
  if (auto done = file_->read(value.extent.offset, buffer); !done) return done.error();
  return Bytes(buffer);
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

// A value with pages of its own; the entry has the number of the first. What the first page says of the run
// is read only where the pages are counted: a walk that reads no values must not touch every one of them.
Result<LmdbFile::Extent> LmdbFile::large_value(Bytes entry_value, uint32_t size, uint64_t page_number,
                                               Walk& walk_state) const {
  if (entry_value.size() < 8) return broken(page_number, "an entry reaches outside");
  const uint64_t first = read<uint64_t>(entry_value, 0);
  uint64_t run = (kPageHeader + size + page_size_ - 1) / page_size_;
  if (first < 2 || first >= pages_ || run > pages_ - first)
    return broken(page_number, "a record reaches outside");
  if (walk_state.used != nullptr) {
    std::vector<uint8_t> header;
    if (auto found = read_page(first, kPageHeader, header); !found) return found.error();
    const uint64_t needed = run;
    run = read<uint32_t>(header, 12);  // pages of the record
    if (!(read<uint16_t>(header, 10) & kOverflow) || run < needed || run > pages_ - first)
      return broken(first, "not the pages of a large record");
    if (!walk_state.use(first, run)) return broken(first, "used twice");
  }
  return Extent{first * page_size_ + kPageHeader, size};
}

Result<void> LmdbFile::walk(uint64_t number, int depth, Walk& walk_state) const {
  if (depth > kMaxDepth || walk_state.pages_left-- == 0)
    return broken(number, "the tree is too deep or has a cycle");
  std::vector<uint8_t> page;
  if (auto found = read_page(number, page_size_, page); !found) return found;
  if (!walk_state.use(number, 1)) return broken(number, "used twice");
  const uint16_t flags = read<uint16_t>(page, 10) & (kBranch | kLeaf | kOverflow | kMetaPage);
  if (flags != kBranch && flags != kLeaf) return broken(number, "neither a branch nor a leaf");
  const auto count = entry_count(page, number);
  if (!count) return count.error();
  for (size_t i = 0; i < *count; ++i) {
    const auto entry = entry_at(page, number, i);
    if (!entry) return entry.error();
    const uint64_t low = read<uint16_t>(*entry, 0), high = read<uint16_t>(*entry, 2),
                   entry_flags = read<uint16_t>(*entry, 4);
    if (flags == kBranch) {
      if (auto below = walk(low | high << 16 | entry_flags << 32, depth + 1, walk_state); !below)
        return below;
      continue;
    }
    const Bytes key = entry->subspan(kNodeHeader, read<uint16_t>(*entry, 6));
    const Bytes rest = entry->subspan(kNodeHeader + key.size());
    if (entry_flags & kDupData) return broken(number, "an entry of a kind that is never written");
    const auto size = static_cast<uint32_t>(low | high << 16);
    Value value{{number * page_size_ + static_cast<uint64_t>(rest.data() - page.data()),
                 static_cast<uint32_t>(rest.size())},
                {}};
    if (entry_flags & kBigData) {
      const auto large = large_value(rest, size, number, walk_state);
      if (!large) return large.error();
      value.extent = *large;
    }
    if (size > value.extent.size) return broken(number, "a record reaches outside");
    value.extent.size = size;
    if (!(entry_flags & kBigData)) value.here = rest.first(size);
    if (auto done = walk_state.each(static_cast<uint16_t>(entry_flags), key, value); !done) return done;
  }
  return {};
}

Result<void> LmdbFile::visit_tree(uint64_t root, const Each& each, std::vector<bool>* used) const {
  if (root == kNoPage) return {};
  Walk state{each, pages_, used};
  return walk(root, 0, state);
}

Result<uint64_t> LmdbFile::root_of(std::string_view database) const {
  uint64_t root = kNoPage;
  auto found = visit_tree(main_root_, [&](uint16_t flags, Bytes key, const Value& value) -> Result<void> {
    if (!(flags & kSubData) || value.here.size() != kDatabaseSize) return {};
    if (std::string_view(reinterpret_cast<const char*>(key.data()), key.size()) == database)
      root = read<uint64_t>(value.here, kDatabaseRoot);
    return {};
  });
  if (!found) return found.error();
  return root;
}

Result<void> LmdbFile::visit(std::string_view database, const Visit& visit) const {
  const auto root = root_of(database);
  if (!root) return root.error();
  std::vector<uint8_t> buffer;
  return visit_tree(*root, [&](uint16_t, Bytes key, const Value& value) -> Result<void> {
    const auto bytes = bytes_of(value, buffer);
    if (!bytes) return bytes.error();
    visit(key, *bytes);
    return {};
  });
}

Result<void> LmdbFile::visit_extents(std::string_view database, const VisitExtent& visit) const {
  const auto root = root_of(database);
  if (!root) return root.error();
  return visit_tree(*root, [&](uint16_t, Bytes key, const Value& value) -> Result<void> {
    visit(key, value.extent);
    return {};
  });
}

Result<void> LmdbFile::check() const {
  std::vector<uint8_t> second(kStart);
  if (auto done = file_->read(page_size_, second); !done) return done;
  if (!is_meta(second) || read<uint32_t>(second, kMetaVersion) != kVersion ||
      read<uint32_t>(second, kMetaFree) != page_size_)
    return broken(1, "not a meta page");
  std::vector<bool> used(pages_, false);
  const Each ignore = [](uint16_t, Bytes, const Value&) -> Result<void> { return {}; };
  auto main_tree = visit_tree(
      main_root_,
      [&](uint16_t flags, Bytes, const Value& value) -> Result<void> {
        if (!(flags & kSubData)) return {};
        if (value.here.size() != kDatabaseSize) return Failure{"a database's entry has the wrong size"};
        return visit_tree(read<uint64_t>(value.here, kDatabaseRoot), ignore, &used);
      },
      &used);
  if (!main_tree) return main_tree;
  // Entries of the free list: how many pages, then their numbers, highest first.
  std::vector<uint64_t> free_pages;
  std::vector<uint8_t> buffer;
  auto free_tree = visit_tree(
      free_root_,
      [&](uint16_t, Bytes key, const Value& value) -> Result<void> {
        const Failure wrong{"the list of free pages is damaged"};
        const auto list = bytes_of(value, buffer);
        if (!list) return list.error();
        if (key.size() != 8 || list->size() < 8) return wrong;
        const uint64_t count = read<uint64_t>(*list, 0);
        if (count > list->size() / 8 - 1) return wrong;
        for (uint64_t i = 1; i <= count; ++i) {
          free_pages.push_back(read<uint64_t>(*list, 8 * i));
          if (i > 1 && free_pages.back() >= read<uint64_t>(*list, 8 * (i - 1))) return wrong;
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
