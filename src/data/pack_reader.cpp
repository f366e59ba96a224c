#include "data/pack_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "core/file.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/text.h"

namespace nowhere {

PackReader PackReader::open(const std::filesystem::path& path) {
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
  auto pack = parse(std::move(*file));
  if (!pack)
    throw data_error(fmt::format("{}: {}; remove it and pack the photographs again", printable(path),
                                 pack.error().reason));
  if (pack->header_.version != kPackVersion)
    throw data_error(fmt::format(
        "{} is a packed file of version {}, this program reads version {}; remove it and pack again",
        printable(path), pack->header_.version, kPackVersion));
  if (!pack->header_.complete)
    throw data_error(fmt::format(
        "{} is not finished ({} so far); run the same `nowhere pack` again to continue where it stopped",
        printable(path), counted(pack->header_.count, "photograph")));
  pack->path_ = path;
  pack->photos_.folders[0].path = path;
  return std::move(*pack);
}

Result<PackReader> PackReader::parse(FileBytes file) {
  PackReader pack;
  pack.file_ = std::move(file);
  const auto lmdb = LmdbFile::open(pack.file_);
  if (!lmdb) return lmdb.error();
  if (auto read = pack.read_header(*lmdb); !read) return read.error();
  if (pack.header_.version != kPackVersion) return pack;
  if (auto read = pack.read_records(*lmdb); !read) return read.error();
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

Result<void> PackReader::read_records(const LmdbFile& lmdb) {
  Result<void> outcome;
  // Records are numbered without gaps, so the order of the keys is the order of the tables.
  const auto expect = [&](LmdbFile::Bytes key, size_t next, std::string_view what) {
    const auto number = record_number(key);
    if (number && *number == next) return true;
    outcome = Failure{fmt::format("damaged: after record {}, the next {} is missing", next, what)};
    return false;
  };
  auto visited = lmdb.visit(kMetaDb, [&](LmdbFile::Bytes key, LmdbFile::Bytes value) {
    if (!outcome || !expect(key, photos_.all.size(), "metadata")) return;
    const size_t record = photos_.all.size();
    if (auto read = decode_meta(value, photos_); !read)
      outcome = Failure{fmt::format("record {} is damaged: {}", record, read.error().reason)};
    else
      meta_checksums_.push_back(stored_checksum(value));
  });
  if (!visited) return visited;
  if (!outcome) return outcome;
  visited = lmdb.visit_extents(kFramesDb, [&](LmdbFile::Bytes key, LmdbFile::Extent value) {
    if (outcome && expect(key, frames_.size(), "frame")) frames_.push_back(value);
  });
  if (!visited) return visited;
  if (!outcome) return outcome;
  if (frames_.size() != photos_.all.size() || static_cast<int64_t>(frames_.size()) != header_.count)
    return Failure{fmt::format("damaged: its header counts {} records, there are {} frames and {} metadata",
                               header_.count, frames_.size(), photos_.all.size())};
  // A packed file has columns where any record knows the value.
  Folder columns;
  for (const Photo& photo : photos_.all) {
    columns.has_sequence |= photo.sequence != kNoString;
    columns.has_night |= photo.night != Flag::kUnknown;
    columns.has_view |= photo.view != View::kUnknown;
    columns.has_pano |= photo.pano != Flag::kUnknown;
    columns.has_control_panel |= photo.control_panel != Flag::kUnknown;
    columns.has_position |= photo.has_position;
  }
  photos_.folders.push_back(columns);
  return {};
}

Result<void> PackReader::read_value(size_t number, std::vector<uint8_t>& bytes) const {
  bytes.resize(frames_[number].size);
  if (auto read = file_.read(frames_[number].offset, bytes); !read)
    return Failure{fmt::format("record {}: {}", number, read.error().reason)};
  return {};
}

Result<Frame> PackReader::record(size_t number, std::vector<uint8_t>& bytes) const {
  if (auto read = read_value(number, bytes); !read) return read.error();
  if (!checksum_fits(bytes)) return Failure{fmt::format("record {} does not fit its checksum", number)};
  const auto frame = decode_frame(bytes);
  if (!frame) return Failure{fmt::format("record {} is damaged: {}", number, frame.error().reason)};
  return *frame;
}

Result<uint64_t> PackReader::frame_checksum(size_t number) const {
  std::array<uint8_t, kChecksumBytes> start{};
  if (frames_[number].size < start.size()) return Failure{fmt::format("record {} is cut short", number)};
  if (auto read = file_.read(frames_[number].offset, start); !read) return read.error();
  return stored_checksum(start);
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

Result<PhotoFrame> PackReader::frame(size_t number, const Detail& detail, std::vector<uint8_t>& bytes,
                                     Decoder& decoder, Image& image) const {
  const auto record_frame = record(number, bytes);
  if (!record_frame) return record_frame.error();
  PhotoFrame frame = placed(*record_frame);
  if (record_frame->codec == Codec::kRaw) return frame;
  // The decoder knows the record's pixels only.
  const int crop = frame.pixels_of(detail.crop.side(frame.short_side, detail.side));
  const Detail of_record{detail.side, {CropSize::Unit::kPixels, static_cast<double>(crop)}};
  if (auto decoded = decoder.decode(record_frame->payload, of_record, image); !decoded)
    return Failure{fmt::format("record {}: {}", number, decoded.error().reason)};
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
        add_to_digest(verdict.digest, meta_checksums_[number], stored_checksum(bytes));
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
