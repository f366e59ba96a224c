#include "data/index_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/atomic_file.h"
#include "core/file.h"
#include "core/hash.h"

namespace nowhere {
namespace {

static_assert(std::is_trivially_copyable_v<Photo> && std::is_trivially_copyable_v<PackedRecord>);
static_assert(alignof(Photo) <= 8 && sizeof(Photo) % 8 == 0 && sizeof(PackedRecord) == 16);

constexpr uint64_t kIndexMagic = 0x3178656469776e0au;  // "\nnwidex1"
// Changes when the rows do.
constexpr uint64_t kIndexLayout = sizeof(Photo) << 32 | offsetof(Photo, easting) << 16 | sizeof(PackedRecord);

struct IndexHeader {
  uint64_t magic = kIndexMagic;
  uint64_t layout = kIndexLayout;
  uint64_t stamp = 0;
  uint64_t photos = 0, cities = 0, sequences = 0;               // how many
  uint64_t city_bytes = 0, sequence_bytes = 0, name_bytes = 0;  // of text
  uint64_t digest_low = 0, digest_high = 0, repeated = 0;
  uint64_t columns = 0;  // a bit each
  uint64_t unused = 0;
  uint64_t body_checksum = 0;
  uint64_t header_checksum = 0;  // of all before it
};
static_assert(sizeof(IndexHeader) == kIndexHeaderBytes);

using Bytes = std::span<const uint8_t>;

template <class T>
Bytes bytes_of_rows(const Column<T>& rows) {
  return {reinterpret_cast<const uint8_t*>(rows.data()), rows.size() * sizeof(T)};
}

uint64_t header_checksum(const IndexHeader& header) {
  return hash64({reinterpret_cast<const uint8_t*>(&header), offsetof(IndexHeader, header_checksum)});
}

constexpr std::array kColumns = {&Folder::has_sequence, &Folder::has_night,         &Folder::has_view,
                                 &Folder::has_pano,     &Folder::has_control_panel, &Folder::has_position};

uint64_t column_bits(const Folder& folder) {
  uint64_t bits = 0;
  for (size_t i = 0; i < kColumns.size(); ++i) bits |= uint64_t{folder.*kColumns[i]} << i;
  return bits;
}

Folder columns_from(uint64_t bits) {
  Folder folder;
  for (size_t i = 0; i < kColumns.size(); ++i) folder.*kColumns[i] = (bits >> i & 1) != 0;
  return folder;
}

// The tables of the body one after the other, each where its rows are aligned.
class IndexBody {
 public:
  IndexBody(Bytes rest, std::shared_ptr<const void> owner) : rest_(rest), owner_(std::move(owner)) {}

  template <class T>
  Column<T> take(uint64_t count) {
    if (count > rest_.size() / sizeof(T)) {
      short_ = true;
      return {};
    }
    const std::span<const T> rows(reinterpret_cast<const T*>(rest_.data()), static_cast<size_t>(count));
    rest_ = rest_.subspan(rows.size_bytes());
    return Column<T>(rows, owner_);
  }
  bool was_whole() const { return !short_ && rest_.empty(); }

 private:
  Bytes rest_;
  std::shared_ptr<const void> owner_;
  bool short_ = false;
};

bool pool_is_sound(const StringPool& pool) {
  uint64_t last = 0;
  for (const uint64_t end : pool.ends()) {
    if (end < last || end > pool.text().size()) return false;
    last = end;
  }
  return last == pool.text().size();
}

bool photo_is_sound(const Photo& photo, const Photos& photos, size_t packs) {
  uint8_t has_position = 0;  // not as bool: which may be neither
  std::memcpy(&has_position, reinterpret_cast<const uint8_t*>(&photo) + offsetof(Photo, has_position), 1);
  const auto known = [](uint32_t number, const StringPool& pool) {
    return number == kNoString || number < pool.size();
  };
  return photo.folder < packs && has_position <= 1 && photo.night <= Flag::kYes && photo.pano <= Flag::kYes &&
         photo.control_panel <= Flag::kYes && photo.view <= View::kSideways &&
         photo.subset <= Subset::kQuery &&
         uint64_t{photo.name_offset} + photo.name_length <= photos.names.size() &&
         known(photo.city, photos.cities) && known(photo.sequence, photos.sequences);
}

bool record_is_sound(const PackedRecord& record, const Photo& photo, const IndexKey& key) {
  if (record.pack != photo.folder || record.pack >= key.file_sizes.size()) return false;
  const uint64_t size = key.file_sizes[record.pack];
  return record.offset <= size && record.size <= size - record.offset;
}

bool rows_are_sound(const PackIndex& index, const IndexKey& key) {
  const Photos& photos = index.photos;
  for (size_t i = 0; i < photos.all.size(); ++i)
    if (!photo_is_sound(photos.all[i], photos, key.file_sizes.size()) ||
        !record_is_sound(index.records[i], photos.all[i], key))
      return false;
  return true;
}

// The tables as they stand in the file.
std::array<Bytes, 7> body_of(const PackIndex& index) {
  const Photos& photos = index.photos;
  return {bytes_of_rows(photos.all),           bytes_of_rows(index.records),
          bytes_of_rows(photos.cities.ends()), bytes_of_rows(photos.sequences.ends()),
          bytes_of_rows(photos.cities.text()), bytes_of_rows(photos.sequences.text()),
          bytes_of_rows(photos.names)};
}

uint64_t body_checksum(const std::array<Bytes, 7>& body) {
  uint64_t checksum = 0;
  for (const Bytes part : body) checksum = hash64(part, checksum);
  return checksum;
}

}  // namespace

void write_index(const std::filesystem::path& path, const PackIndex& index, const IndexKey& key) {
  const Photos& photos = index.photos;
  const std::array<Bytes, 7> body = body_of(index);
  IndexHeader header;
  header.stamp = key.stamp;
  header.photos = photos.all.size();
  header.cities = photos.cities.size();
  header.sequences = photos.sequences.size();
  header.city_bytes = photos.cities.text().size();
  header.sequence_bytes = photos.sequences.text().size();
  header.name_bytes = photos.names.size();
  header.digest_low = index.digest.low;
  header.digest_high = index.digest.high;
  header.repeated = static_cast<uint64_t>(index.repeated);
  header.columns = photos.folders.empty() ? 0 : column_bits(photos.folders[0]);
  header.body_checksum = body_checksum(body);
  header.header_checksum = header_checksum(header);
  AtomicFile file(path);
  file.write(&header, sizeof(header));
  for (const Bytes part : body) file.write(part.data(), part.size());
  file.commit(/*durable=*/false);  // what a power cut damages is made again
}

Result<PackIndex> parse_index(Bytes bytes, std::shared_ptr<const void> owner, const IndexKey& key) {
  IndexHeader header;
  if (bytes.size() < sizeof(header)) return Failure{"cut short"};
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kIndexMagic || header.layout != kIndexLayout) return Failure{"of another program"};
  if (header.header_checksum != header_checksum(header)) return Failure{"its header is damaged"};
  if (header.stamp != key.stamp) return Failure{"of other packs"};
  IndexBody body(bytes.subspan(sizeof(header)), std::move(owner));
  PackIndex index;
  Photos& photos = index.photos;
  photos.all = body.take<Photo>(header.photos);
  index.records = body.take<PackedRecord>(header.photos);
  auto city_ends = body.take<uint64_t>(header.cities), sequence_ends = body.take<uint64_t>(header.sequences);
  photos.cities = StringPool(std::move(city_ends), body.take<char>(header.city_bytes));
  photos.sequences = StringPool(std::move(sequence_ends), body.take<char>(header.sequence_bytes));
  photos.names = body.take<char>(header.name_bytes);
  if (!body.was_whole()) return Failure{"cut short"};
  if (body_checksum(body_of(index)) != header.body_checksum) return Failure{"damaged"};
  if (!pool_is_sound(photos.cities) || !pool_is_sound(photos.sequences) || !rows_are_sound(index, key))
    return Failure{"its rows are damaged"};
  photos.folders.assign(key.file_sizes.size(), columns_from(header.columns));
  index.digest = {header.digest_low, header.digest_high};
  index.repeated = static_cast<int64_t>(header.repeated);
  return index;
}

Result<PackIndex> read_index(const std::filesystem::path& path, const IndexKey& key, uint64_t map_from) {
  const auto file = FileBytes::open(path);
  if (!file) return file.error();
  if (file->size() >= map_from) {
    auto mapped = MappedFile::open(path);
    if (!mapped) return mapped.error();
    const auto owner = std::make_shared<const MappedFile>(std::move(*mapped));
    return parse_index(owner->bytes(), owner, key);
  }
  const auto bytes = std::make_shared<std::vector<uint8_t>>(file->size());
  if (auto read = file->read(0, *bytes); !read) return read.error();
  return parse_index(*bytes, bytes, key);
}

void seal_index(std::span<uint8_t> bytes, const IndexKey& key) {
  IndexHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.magic = kIndexMagic;
  header.layout = kIndexLayout;
  header.stamp = key.stamp;
  // The parts' hashes are chained, so their lengths have to be known: those that the header says.
  Bytes rest = bytes.subspan(sizeof(header));
  header.body_checksum = 0;
  for (const uint64_t size :
       {header.photos * sizeof(Photo), header.photos * sizeof(PackedRecord), header.cities * 8,
        header.sequences * 8, header.city_bytes, header.sequence_bytes, header.name_bytes}) {
    const Bytes part = rest.first(static_cast<size_t>(std::min<uint64_t>(size, rest.size())));
    header.body_checksum = hash64(part, header.body_checksum);
    rest = rest.subspan(part.size());
  }
  header.header_checksum = header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

}  // namespace nowhere
