#include "data/pack_writer.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/file.h"
#include "core/text.h"
#include "data/pack_lmdb.h"
#include "data/pack_reader.h"

namespace nowhere {
namespace {

// A transaction keeps its changed pages in memory until it is committed; these bound that, and what a kill
// can lose.
constexpr uint64_t kCommitBytes = uint64_t{64} << 20;
constexpr double kCommitSeconds = 0.5;

using Bytes = std::span<const uint8_t>;

Bytes text_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

using IdentityKey = std::array<uint8_t, 16>;

IdentityKey identity_key(std::string_view identity) {
  IdentityKey key{};
  const uint64_t halves[] = {hash64(identity, 1), hash64(identity, 2)};
  std::memcpy(key.data(), halves, sizeof(halves));
  return key;
}

// The origins of an identity's records are neighbours.
std::vector<uint8_t> origin_key(const IdentityKey& identity, uint64_t record) {
  std::vector<uint8_t> key(identity.begin(), identity.end());
  const auto number = record_key(record);
  key.insert(key.end(), number.begin(), number.end());
  return key;
}

using OriginValue = std::array<uint64_t, 3>;  // the frame's checksum, content, stamp

// Nothing for an entry that this program never wrote.
std::optional<KnownRecord> known_from(Bytes key, Bytes value) {
  const auto number = record_number(key.subspan(sizeof(IdentityKey)));
  OriginValue origin{};
  if (!number || value.size() != sizeof(origin)) return std::nullopt;
  std::memcpy(origin.data(), value.data(), sizeof(origin));
  return KnownRecord{*number, origin[0], {origin[1], origin[2]}};
}

// Looks at an existing file with our own reader first: LMDB itself crashes on a damaged one, and somebody
// else's LMDB file is not ours to write into.
void check_before_writing(const std::filesystem::path& path) {
  auto file = FileBytes::open(path);
  if (!file) throw data_error(file.error().reason);
  if (file->size() == 0) return;  // killed before anything was written
  const auto lmdb = LmdbFile::open(*file);
  Result<void> sound = lmdb ? lmdb->check() : Result<void>(lmdb.error());
  if (sound && lmdb->empty()) return;  // killed before the first commit
  if (sound) {
    const auto pack = PackReader::parse(std::move(*file));
    if (!pack) sound = pack.error();
  }
  if (!sound)
    throw data_error(
        fmt::format("{} exists and is not a sound packed file ({}); remove it or choose another name",
                    printable(path), sound.error().reason));
}

void begin_header(PackHeader& header, int height, Codec codec, const CropSize& crop) {
  header.height = height;
  header.codec = codec;
  header.crop = crop;
  header.knows_photo_sizes = true;
}

}  // namespace

PackWriter::PackWriter(const std::filesystem::path& path, int height, Codec codec, const CropSize& crop)
    : path_(path), lmdb_(std::make_unique<PackLmdb>(path)) {
  made_the_file_ = lmdb_->take_lock();
  check_before_writing(path_);
  lmdb_->open();
  const Bytes found = lmdb_->find(PackLmdb::kHeader, text_bytes("header"));
  if (found.empty()) {
    begin_header(header_, height, codec, crop);
  } else {
    read_header(as_text(found), height, codec, crop);
  }
  commit();  // from here on the file says what it is
}

PackWriter::~PackWriter() = default;

void PackWriter::read_header(std::string_view text, int height, Codec codec, const CropSize& crop) {
  auto header = PackHeader::parse(text);
  if (!header) throw data_error(fmt::format("{}: {}", printable(path_), header.error().reason));
  header_ = std::move(*header);
  if (header_.version != kPackVersion)
    throw data_error(
        fmt::format("{} is a packed file of version {}, this program writes version {}; choose another name",
                    printable(path_), header_.version, kPackVersion));
  if (header_.count == 0) {  // stopped before the first record: as good as new
    made_the_file_ = true;
    begin_header(header_, height, codec, crop);
  }
  if (header_.height != height || header_.codec != codec || header_.crop != crop)
    throw usage_error(
        fmt::format("{} holds {} records of {} px and crop size {}; "
                    "give --codec {} --height {} --crop-size {}, or another name",
                    printable(path_), name_of(header_.codec), header_.height, header_.crop.text(),
                    name_of(header_.codec), header_.height, header_.crop.text()));
}

std::vector<KnownRecord> PackWriter::known(std::string_view identity) const {
  std::vector<KnownRecord> records;
  const IdentityKey id = identity_key(identity);
  const Bytes first = lmdb_->find(PackLmdb::kIds, id);
  if (first.empty()) return records;
  lmdb_->visit(PackLmdb::kOrigins, id, [&](Bytes key, Bytes value) {
    if (const auto record = known_from(key, value)) records.push_back(*record);
  });
  // A record of a program that kept no origins: the frame is all there is to compare with.
  const auto number = record_number(first);
  if (number && std::none_of(records.begin(), records.end(),
                             [&](const KnownRecord& record) { return record.number == *number; }))
    records.push_back({*number, stored_checksum(lmdb_->find(PackLmdb::kFrames, first)), {}});
  return records;
}

void PackWriter::add(std::string_view identity, Bytes meta, Bytes frame, const Origin& origin) {
  const auto number = static_cast<uint64_t>(header_.count);
  const auto key = record_key(number);
  lmdb_->append(PackLmdb::kMeta, key, meta);
  lmdb_->append(PackLmdb::kFrames, key, frame);
  const IdentityKey id = identity_key(identity);
  if (lmdb_->find(PackLmdb::kIds, id).empty()) lmdb_->put(PackLmdb::kIds, id, key);
  put_origin(identity, {number, stored_checksum(frame), origin});
  lmdb_->remove(PackLmdb::kRejects, id);
  add_to_digest(header_.digest, stored_checksum(meta), stored_checksum(frame));
  header_.complete = false;
  header_.bytes += frame.size();
  ++header_.count;
  uncommitted_bytes_ += frame.size();
  commit_now_and_then();
}

void PackWriter::put_origin(std::string_view identity, const KnownRecord& record) {
  const OriginValue value = {record.frame_checksum, record.origin.content, record.origin.stamp};
  lmdb_->put(PackLmdb::kOrigins, origin_key(identity_key(identity), record.number),
             {reinterpret_cast<const uint8_t*>(value.data()), sizeof(value)});
}

void PackWriter::note_origin(std::string_view identity, const KnownRecord& record) {
  put_origin(identity, record);
  commit_now_and_then();
}

void PackWriter::commit_now_and_then() {
  if (uncommitted_bytes_ >= kCommitBytes || since_commit_.seconds() >= kCommitSeconds) commit();
}

void PackWriter::reject(std::string_view identity, std::string_view path, std::string_view reason) {
  const std::string text =
      std::string(path) + '\n' + std::string(reason);  // a printable path has no line break
  lmdb_->put(PackLmdb::kRejects, identity_key(identity), text_bytes(text));
  commit_now_and_then();
}

void PackWriter::visit_rejects(const std::function<void(std::string_view, std::string_view)>& visit) const {
  lmdb_->visit(PackLmdb::kRejects, {}, [&](Bytes, Bytes value) {
    const std::string_view text = as_text(value);
    const size_t line_break = text.find('\n');
    visit(text.substr(0, line_break), text.substr(line_break + 1));
  });
}

void PackWriter::commit() {
  const std::string text = boost::json::serialize(header_.to_json());
  lmdb_->put(PackLmdb::kHeader, text_bytes("header"), text_bytes(text));
  lmdb_->commit();
  uncommitted_bytes_ = 0;
  since_commit_ = Stopwatch();
}

void PackWriter::finish(const std::string& source, const boost::json::object& filters) {
  int64_t added = header_.count;
  for (const PackPart& part : header_.parts) added -= part.added;
  if (added > 0) header_.parts.push_back({source, filters, added});
  header_.complete = true;
  commit();
}

void PackWriter::discard_new_file() {
  if (made_the_file_) ::unlink(path_.c_str());
}

}  // namespace nowhere
