#include "data/pack_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/text.h"

namespace nowhere {

namespace {

Failure of_record(size_t number, const Failure& failure) {
  return Failure{fmt::format("record {}: {}", number, failure.reason)};
}

Error damaged_pack(const std::filesystem::path& path, const Failure& failure) {
  return data_error(
      fmt::format("{}: {}; remove it and pack the photographs again", printable(path), failure.reason));
}

}  // namespace

PackReader PackReader::open(const std::filesystem::path& path) {
  PackReader pack = open_header(path);
  pack.add_records_to(pack.table_);
  Folder columns = packed_columns(pack.table_.photos);
  columns.path = path;
  pack.table_.photos.folders = {columns};
  return pack;
}

PackReader PackReader::open_header(const std::filesystem::path& path) {
  auto file = FileBytes::open(path);
  if (!file) throw data_error(file.error().reason);
  std::vector<uint8_t> start(std::min<uint64_t>(file->size(), LmdbFile::kStart));
  if (auto read = file->read(0, start); !read)
    throw data_error(fmt::format("{}: {}", printable(path), read.error().reason));
  if (detect_format(start) != Format::kUnknown)
    throw data_error(
        fmt::format("{} is a single photograph; give the folder that it lies in", printable(path)));
  if (!LmdbFile::looks_like_one(start))
    throw data_error(fmt::format(
        "{} is not a packed file; give a folder of photographs or a file that `nowhere pack` wrote",
        printable(path)));
  auto pack = parse_header(std::move(*file));
  if (!pack) throw damaged_pack(path, pack.error());
  if (pack->header_.version != kPackVersion)
    throw data_error(fmt::format(
        "{} is a packed file of version {}, this program reads version {}; remove it and pack again",
        printable(path), pack->header_.version, kPackVersion));
  if (!pack->header_.complete)
    throw data_error(fmt::format(
        "{} is not finished ({} so far); run the same `nowhere pack` again to continue where it stopped",
        printable(path), counted(pack->header_.count, "photograph")));
  pack->path_ = path;
  return std::move(*pack);
}

Result<PackReader> PackReader::parse(FileBytes file) {
  auto pack = parse_header(std::move(file));
  if (!pack || pack->header_.version != kPackVersion) return pack;
  if (auto read = pack->read_records(pack->table_); !read) return read.error();
  pack->table_.photos.folders = {packed_columns(pack->table_.photos)};
  return pack;
}

Result<PackReader> PackReader::parse_header(FileBytes file) {
  PackReader pack;
  pack.file_ = std::move(file);
  const auto lmdb = LmdbFile::open(pack.file_);
  if (!lmdb) return lmdb.error();
  pack.transaction_ = lmdb->transaction();
  if (auto read = pack.read_header(*lmdb); !read) return read.error();
  return pack;
}

Result<void> PackReader::read_header(const LmdbFile& lmdb) {
  Result<PackHeader> header = Failure{"it has no header: not a packed file of this program"};
  auto visited = lmdb.visit(kHeaderDb, [&](LmdbFile::Bytes, LmdbFile::Bytes value) {
    header = PackHeader::parse({reinterpret_cast<const char*>(value.data()), value.size()});
  });
  if (!visited) return visited;
  if (!header) return header.error();
  header_ = std::move(*header);
  return {};
}

uint64_t PackReader::stamp() const {
  // The file's own stamp may stay the same when it changes twice in a tick of the file system's clock.
  const std::array<uint64_t, 5> facts = {file_.stamp(), transaction_, static_cast<uint64_t>(header_.count),
                                         header_.digest.low, header_.digest.high};
  return hash64({reinterpret_cast<const uint8_t*>(facts.data()), sizeof(facts)});
}

void PackReader::add_records_to(PackTable& table) const {
  if (auto read = read_records(table); !read) throw damaged_pack(path_, read.error());
}

Result<void> PackReader::read_records(PackTable& table) const {
  const auto lmdb = LmdbFile::open(file_);
  if (!lmdb) return lmdb.error();
  if (lmdb->transaction() != transaction_) return Failure{"it was changed while it was opened"};
  Result<void> outcome;
  const size_t first = table.frames.size();
  // Records are numbered without gaps, so the order of the keys is the order of the tables.
  const auto expect = [&](LmdbFile::Bytes key, size_t next, std::string_view what) {
    const auto number = record_number(key);
    if (number && *number == next) return true;
    outcome = Failure{fmt::format("damaged: after record {}, the next {} is missing", next, what)};
    return false;
  };
  auto visited = lmdb->visit(kMetaDb, [&](LmdbFile::Bytes key, LmdbFile::Bytes value) {
    const size_t record = table.photos.all.size() - first;
    if (!outcome || !expect(key, record, "metadata")) return;
    if (auto read = decode_meta(value, table.photos); !read)
      outcome = Failure{fmt::format("record {} is damaged: {}", record, read.error().reason)};
    else
      table.meta_checksums.push_back(stored_checksum(value));
  });
  if (!visited) return visited;
  if (!outcome) return outcome;
  visited = lmdb->visit_extents(kFramesDb, [&](LmdbFile::Bytes key, Extent value) {
    if (outcome && expect(key, table.frames.size() - first, "frame")) table.frames.push_back(value);
  });
  if (!visited) return visited;
  if (!outcome) return outcome;
  const size_t frames = table.frames.size() - first, photos = table.photos.all.size() - first;
  if (frames != photos || static_cast<int64_t>(frames) != header_.count)
    return Failure{fmt::format("damaged: its header counts {} records, there are {} frames and {} metadata",
                               header_.count, frames, photos)};
  return {};
}

Folder packed_columns(const Photos& photos) {
  Folder columns;
  for (const Photo& photo : photos.all) {
    columns.has_sequence |= photo.sequence != kNoString;
    columns.has_night |= photo.night != Flag::kUnknown;
    columns.has_view |= photo.view != View::kUnknown;
    columns.has_pano |= photo.pano != Flag::kUnknown;
    columns.has_control_panel |= photo.control_panel != Flag::kUnknown;
    columns.has_position |= photo.has_position;
  }
  return columns;
}

Result<Frame> PackReader::record_at(Extent place, std::vector<uint8_t>& bytes) const {
  bytes.resize(place.size);
  if (auto read = file_.read(place.offset, bytes); !read) return read.error();
  if (!checksum_fits(bytes)) return Failure{"it does not fit its checksum"};
  const auto frame = decode_frame(bytes);
  if (!frame) return Failure{fmt::format("it is damaged: {}", frame.error().reason)};
  return *frame;
}

Result<uint64_t> PackReader::frame_checksum_at(Extent place) const {
  std::array<uint8_t, kChecksumBytes> start{};
  if (place.size < start.size()) return Failure{"it is cut short"};
  if (auto read = file_.read(place.offset, start); !read) return read.error();
  return stored_checksum(start);
}

Result<Frame> PackReader::record(size_t number, std::vector<uint8_t>& bytes) const {
  const auto frame = record_at(table_.frames[number], bytes);
  if (!frame) return of_record(number, frame.error());
  return *frame;
}

Result<uint64_t> PackReader::frame_checksum(size_t number) const {
  const auto checksum = frame_checksum_at(table_.frames[number]);
  if (!checksum) return of_record(number, checksum.error());
  return *checksum;
}

Result<PhotoFrame> PackReader::frame(size_t number, const Detail& detail, std::vector<uint8_t>& bytes,
                                     Decoder& decoder, Image& image) const {
  const auto frame = frame_at(table_.frames[number], detail, bytes, decoder, image);
  if (!frame) return of_record(number, frame.error());
  return *frame;
}

// How the pixels of a record lie in its photograph, of which it may hold the middle rows only.
PhotoFrame PackReader::placed(const Frame& frame) const {
  const ImageView view{frame.payload.data(), frame.width, frame.height,
                       static_cast<size_t>(frame.width) * kChannels};
  const int shown = std::min(frame.width, frame.height);
  const int photo_side = frame.photo_side > 0 ? frame.photo_side : shown;
  const int kept = header_.crop.side(photo_side, 0);
  return {view, photo_side, static_cast<double>(shown) / kept};
}

Result<PhotoFrame> PackReader::frame_at(Extent place, const Detail& detail, std::vector<uint8_t>& bytes,
                                        Decoder& decoder, Image& image) const {
  const auto record_frame = record_at(place, bytes);
  if (!record_frame) return record_frame.error();
  PhotoFrame frame = placed(*record_frame);
  if (record_frame->codec == Codec::kRaw) return frame;
  // The decoder knows the record's pixels only.
  const int crop = frame.pixels_of(detail.crop.side(frame.short_side, detail.side));
  const Detail in_record{detail.side, {CropSize::Unit::kPixels, static_cast<double>(crop)}};
  if (auto decoded = decoder.decode(record_frame->payload, in_record, image); !decoded)
    return decoded.error();
  frame.view = image.view();
  frame.scale *= static_cast<double>(std::min(image.width, image.height)) / decoder.short_side();
  return frame;
}

PackReader::Verdict PackReader::verify(int threads, const std::function<void(int64_t done)>& progress,
                                       const std::function<bool()>& stop) const {
  Verdict verdict;
  std::mutex mutex;
  const auto check = [&](size_t begin, size_t end) {
    Decoder decoder;
    std::vector<uint8_t> bytes;
    Image image;
    for (size_t number = begin; number < end && !stop(); ++number) {
      const auto read = frame(number, {}, bytes, decoder, image);
      const std::lock_guard lock(mutex);
      if (read)
        add_to_digest(verdict.digest, table_.meta_checksums[number], stored_checksum(bytes));
      else
        verdict.damaged.push_back({number, read.error().reason});
    }
  };
  constexpr size_t kChunk = 64;
  parallel_chunks(size(), kChunk, threads, check, progress);
  if (stop()) throw Stopped();
  std::sort(verdict.damaged.begin(), verdict.damaged.end(),
            [](const Damage& a, const Damage& b) { return a.record < b.record; });
  return verdict;
}

}  // namespace nowhere
