#include "data/pack_source.h"

#include <fmt/core.h>

#include <utility>

#include "core/file.h"
#include "data/index_cache.h"
#include "data/pack_index.h"
#include "data/pack_reader.h"

namespace nowhere {
namespace {

class PackSource : public Source {
 public:
  PackSource(std::vector<PackReader> packs, PackIndex index, std::filesystem::path data)
      : packs_(std::move(packs)), index_(std::move(index)), data_(std::move(data)) {
    for (const PackReader& pack : packs_) knows_photo_sizes_ &= pack.header().knows_photo_sizes;
  }

  const Photos& photos() const override { return index_.photos; }
  const ScanCounts& counts() const override { return counts_; }
  std::string name() const override { return printable(data_); }
  std::string description() const override {
    const PackHeader& header = packs_[0].header();
    const std::string form =
        packs_.size() == 1 ? "packed file" : fmt::format("packed in {} files", packs_.size());
    return fmt::format("{}, {} px high, {}", form, header.height, name_of(header.codec));
  }
  CropSize crop_size() const override { return packs_[0].header().crop; }
  bool knows_photo_sizes() const override { return knows_photo_sizes_; }
  std::string digest() const override { return index_.digest.hex(); }

  Result<PhotoFrame> frame(size_t photo, const Detail& detail, Scratch& scratch) const override {
    const auto frame =
        pack_of(photo).frame_at(place_of(photo), detail, scratch.bytes, scratch.decoder, scratch.image);
    if (!frame) return named(photo, frame.error());
    return *frame;
  }

  Result<void> read(size_t photo, Scratch& scratch) const override {
    if (const auto record = pack_of(photo).record_at(place_of(photo), scratch.bytes); !record)
      return named(photo, record.error());
    return {};
  }

  uint64_t stamp(size_t photo) const override {
    const auto checksum = pack_of(photo).frame_checksum_at(place_of(photo));
    return checksum ? *checksum : 0;
  }

  std::optional<Frame> packed(size_t photo, Scratch& scratch) const override {
    const auto record = pack_of(photo).record_at(place_of(photo), scratch.bytes);
    return record ? std::optional(*record) : std::nullopt;
  }

  uint64_t stored_bytes(size_t photo) const override { return index_.records[photo].size; }
  void will_need(size_t photo) const override { pack_of(photo).will_need(place_of(photo)); }

 private:
  const PackReader& pack_of(size_t photo) const { return packs_[index_.records[photo].pack]; }
  PackReader::Extent place_of(size_t photo) const {
    const PackedRecord& record = index_.records[photo];
    return {record.offset, record.size};
  }

  // In one pack, photographs and records have the same numbers.
  Failure named(size_t photo, const Failure& failure) const {
    if (packs_.size() == 1) return Failure{fmt::format("record {}: {}", photo, failure.reason)};
    return Failure{fmt::format("{}, the record at byte {}: {}", printable(pack_of(photo).path()),
                               index_.records[photo].offset, failure.reason)};
  }

  std::vector<PackReader> packs_;
  PackIndex index_;
  std::filesystem::path data_;
  bool knows_photo_sizes_ = true;
  ScanCounts counts_;
};

std::vector<PackReader> open_headers(const std::vector<std::filesystem::path>& files) {
  std::vector<PackReader> packs;
  packs.reserve(files.size());
  for (const auto& file : files) packs.push_back(PackReader::open_header(file));
  check_packs_fit(packs);
  return packs;
}

}  // namespace

std::unique_ptr<Source> open_packs(const std::vector<std::filesystem::path>& files,
                                   const std::filesystem::path& data, const std::function<bool()>& stop) {
  std::vector<PackReader> packs = open_headers(files);
  IndexCacheConfig config;
  int64_t photographs = 0;
  for (const PackReader& pack : packs) photographs += pack.header().count;
  if (photographs >= config.from) config.folder = index_cache_folder();
  CachedIndex found = open_pack_index(packs, config, stop);
  return std::make_unique<PackSource>(std::move(packs), std::move(found.index), data);
}

}  // namespace nowhere
