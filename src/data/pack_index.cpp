#include "data/pack_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/random.h"

namespace nowhere {
namespace {

// The records of all files in the order of the walk, on their way into one table.
class PackMerger {
 public:
  explicit PackMerger(std::span<const PackReader> packs) : packs_(packs) {
    set_pack_folders(table_.photos, packs, {});
    for (uint32_t pack = 0; pack < packs.size(); ++pack) {
      const size_t first = table_.photos.all.size();
      packs[pack].add_records_to(table_);
      for (size_t i = first; i < table_.photos.all.size(); ++i) table_.photos.all[i].folder = pack;
      add(index_.digest, packs[pack].header().digest);
    }
    cities_.resize(table_.photos.cities.size(), kNoString);
    sequences_.resize(table_.photos.sequences.size(), kNoString);
  }

  PackIndex merged() && {
    const std::vector<std::pair<uint64_t, uint32_t>> order = in_pack_order();
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      for (end = begin + 1; end < order.size() && order[end].first == order[begin].first;) ++end;
      keep_different(std::span(order).subspan(begin, end - begin));
    }
    set_pack_folders(index_.photos, packs_, packed_columns(index_.photos));
    return std::move(index_);
  }

  // Of one file: as it is.
  PackIndex alone() && {
    set_pack_folders(table_.photos, packs_, packed_columns(table_.photos));
    index_.records.reserve(table_.frames.size());
    for (const PackReader::Extent& frame : table_.frames)
      index_.records.push_back({frame.offset, frame.size, 0});
    index_.photos = std::move(table_.photos);
    return std::move(index_);
  }

 private:
  using Numbers = std::span<const std::pair<uint64_t, uint32_t>>;

  // A photograph that takes part, among those that may have the same name.
  struct Kept {
    std::string identity;
    uint64_t frame_checksum;
  };

  static void add(SetDigest& digest, const SetDigest& more) {
    digest.low += more.low;
    digest.high += more.high;
  }

  static void remove(SetDigest& digest, uint64_t meta_checksum, uint64_t frame_checksum) {
    SetDigest item;
    add_to_digest(item, meta_checksum, frame_checksum);
    digest.low -= item.low;
    digest.high -= item.high;
  }

  // As the packer sorts them.
  std::vector<std::pair<uint64_t, uint32_t>> in_pack_order() const {
    std::vector<std::pair<uint64_t, uint32_t>> order(table_.photos.all.size());
    for (uint32_t i = 0; i < order.size(); ++i)
      order[i] = {mix64(pack_order(plain_identity(table_.photos, photo(i)))), i};
    std::sort(order.begin(), order.end());
    return order;
  }

  const Photo& photo(uint32_t number) const { return std::as_const(table_.photos.all)[number]; }

  uint64_t frame_checksum(uint32_t number) const {
    const PackReader& pack = packs_[photo(number).folder];
    const auto checksum = pack.frame_checksum_at(table_.frames[number]);
    if (!checksum) throw data_error(fmt::format("{}: {}", printable(pack.path()), checksum.error().reason));
    return *checksum;
  }

  // Photographs whose identities have one hash, by the rules of the packer: the same identity with the same
  // frame is the same photograph, with another frame it is another one that gets a name of its own.
  void keep_different(Numbers numbers) {
    if (numbers.size() == 1)
      return keep(numbers[0].second, std::string(table_.photos.name(photo(numbers[0].second))));
    std::vector<Kept> kept;
    for (const auto& [hash, number] : numbers) {
      Kept next{plain_identity(table_.photos, photo(number)), frame_checksum(number)};
      const auto same_name = [&](const Kept& other) { return other.identity == next.identity; };
      const auto same = [&](const Kept& other) {
        return same_name(other) && other.frame_checksum == next.frame_checksum;
      };
      const uint64_t meta_checksum = table_.meta_checksums[number];
      if (std::any_of(kept.begin(), kept.end(), same)) {
        remove(index_.digest, meta_checksum, next.frame_checksum);
        ++index_.repeated;
        continue;
      }
      std::string name = plain_packed_name(table_.photos, photo(number));
      if (std::any_of(kept.begin(), kept.end(), same_name)) name = distinct_name(name, next.frame_checksum);
      if (name != table_.photos.name(photo(number))) {
        remove(index_.digest, meta_checksum, next.frame_checksum);
        add_to_digest(index_.digest, stored_checksum(encode_meta(table_.photos, photo(number), name)),
                      next.frame_checksum);
      }
      keep(number, name);
      kept.push_back(std::move(next));
    }
  }

  // Cities and sequences are numbered as they come, as when one pack is read.
  void keep(uint32_t number, const std::string& name) {
    Photo row = photo(number);
    const auto renumber = [](uint32_t old, const StringPool& from, std::vector<uint32_t>& numbers,
                             StringPool& to) {
      if (old == kNoString) return old;
      if (numbers[old] == kNoString) numbers[old] = to.add(from[old]);
      return numbers[old];
    };
    row.city = renumber(row.city, table_.photos.cities, cities_, index_.photos.cities);
    row.sequence = renumber(row.sequence, table_.photos.sequences, sequences_, index_.photos.sequences);
    index_.photos.set_name(row, name);
    index_.photos.all.push_back(row);
    index_.records.push_back({table_.frames[number].offset, table_.frames[number].size, row.folder});
  }

  std::span<const PackReader> packs_;
  PackTable table_;
  std::vector<uint32_t> cities_, sequences_;  // new numbers by old ones
  PackIndex index_;
};

}  // namespace

void set_pack_folders(Photos& photos, std::span<const PackReader> packs, const Folder& columns) {
  photos.folders.assign(packs.size(), columns);
  for (size_t i = 0; i < packs.size(); ++i) photos.folders[i].path = packs[i].path();
}

void check_packs_fit(std::span<const PackReader> packs) {
  const PackHeader& first = packs[0].header();
  for (const PackReader& pack : packs) {
    const PackHeader& header = pack.header();
    if (header.height == first.height && header.codec == first.codec && header.crop == first.crop) continue;
    throw data_error(fmt::format(
        "{} holds {} records of {} px and crop size {}, but {} {} records of {} px and crop size {}: they "
        "cannot be one data set; pack one of them again, or leave it out",
        printable(pack.path()), name_of(header.codec), header.height, header.crop.text(),
        printable(packs[0].path()), name_of(first.codec), first.height, first.crop.text()));
  }
}

PackIndex make_pack_index(std::span<const PackReader> packs) {
  PackMerger merger(packs);
  return packs.size() == 1 ? std::move(merger).alone() : std::move(merger).merged();
}

}  // namespace nowhere
