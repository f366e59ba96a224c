#include "data/pack_writer.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <lmdb.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/descriptor.h"
#include "core/file.h"
#include "core/text.h"
#include "data/pack_reader.h"

namespace nowhere {
namespace {

// Room that a transaction finds in the map. It is address space, neither memory nor disk: the file grows as
// records are written, and the map between transactions.
constexpr size_t kMapRoom = size_t{2} << 30;
// A transaction keeps its changed pages in memory until it is committed; these bound that, and what a kill
// can lose.
constexpr uint64_t kCommitBytes = uint64_t{64} << 20;
constexpr double kCommitSeconds = 0.5;
constexpr std::array<const char*, 5> kDatabases = {kHeaderDb, kMetaDb, kFramesDb, kIdsDb, kRejectsDb};
enum Database : unsigned { kHeader, kMeta, kFrames, kIds, kRejects };

MDB_val as_value(std::span<const uint8_t> bytes) {
  return {bytes.size(), const_cast<uint8_t*>(bytes.data())};
}

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::array<uint8_t, 16> identity_key(std::string_view identity) {
  std::array<uint8_t, 16> key{};
  const uint64_t halves[] = {hash64(identity, 1), hash64(identity, 2)};
  std::memcpy(key.data(), halves, sizeof(halves));
  return key;
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

}  // namespace

struct PackWriter::Lmdb {
  const std::filesystem::path& path;
  Descriptor lock;
  MDB_env* environment = nullptr;
  MDB_txn* transaction = nullptr;
  std::array<MDB_dbi, kDatabases.size()> databases{};

  explicit Lmdb(const std::filesystem::path& file) : path(file) {}
  ~Lmdb() {
    if (transaction != nullptr) mdb_txn_abort(transaction);
    if (environment != nullptr) mdb_env_close(environment);
  }

  void check(int code) const {
    if (code == MDB_SUCCESS) return;
    if (code == ENOSPC || code == EDQUOT || (code == EIO && disk_is_full()))
      throw Error(
          fmt::format("no space left for {}; what was packed so far is safe: "
                      "free some space and run the same command again to continue where it stopped",
                      printable(path)));
    throw Error(fmt::format("cannot write {}: {}", printable(path),
                            code > 0 ? system_reason(code) : mdb_strerror(code)));
  }

  // LMDB reports a write that the disk took only in part as an input/output error.
  bool disk_is_full() const {
    std::error_code error;
    const auto space = std::filesystem::space(path, error);
    return !error && space.available < kCommitBytes;
  }

  // True when the file was not there before.
  bool take_lock() {
    lock = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    const bool is_new = lock.is_open();
    if (!is_new && errno == EEXIST) lock = Descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!lock.is_open())
      throw Error(fmt::format("cannot write {}: {}", printable(path), system_reason(errno)));
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
      throw Error(fmt::format("{} is being written by another process; wait for it, or choose another name",
                              printable(path)));
    return is_new;
  }

  void open() {
    check(mdb_env_create(&environment));
    check(mdb_env_set_maxdbs(environment, kDatabases.size()));
    // Our own lock is held already, so LMDB needs no lock file beside the pack.
    check(mdb_env_open(environment, path.c_str(), MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS, 0644));
    begin();
    for (size_t i = 0; i < kDatabases.size(); ++i)
      check(mdb_dbi_open(transaction, kDatabases[i], MDB_CREATE, &databases[i]));
  }

  void begin() {
    MDB_envinfo info{};
    MDB_stat stat{};
    check(mdb_env_info(environment, &info));
    check(mdb_env_stat(environment, &stat));
    const size_t used = (info.me_last_pgno + 1) * stat.ms_psize;
    if (used + kMapRoom / 2 > info.me_mapsize) check(mdb_env_set_mapsize(environment, used + kMapRoom));
    check(mdb_txn_begin(environment, nullptr, 0, &transaction));
  }

  void commit() {
    MDB_txn* ending = std::exchange(transaction, nullptr);  // gone even when the commit fails
    check(mdb_txn_commit(ending));
  }
};

namespace {

void begin_header(PackHeader& header, int height, Codec codec, const CropSize& crop) {
  header.height = height;
  header.codec = codec;
  header.crop = crop;
  header.knows_photo_sizes = true;
}

}  // namespace

PackWriter::PackWriter(const std::filesystem::path& path, int height, Codec codec, const CropSize& crop)
    : path_(path), lmdb_(std::make_unique<Lmdb>(path_)) {
  made_the_file_ = lmdb_->take_lock();
  check_before_writing(path_);
  lmdb_->open();
  MDB_val key = as_value(as_bytes("header")), value{};
  const int found = mdb_get(lmdb_->transaction, lmdb_->databases[kHeader], &key, &value);
  if (found == MDB_NOTFOUND) {
    begin_header(header_, height, codec, crop);
  } else {
    lmdb_->check(found);
    auto header = PackHeader::parse({static_cast<const char*>(value.mv_data), value.mv_size});
    if (!header) throw data_error(fmt::format("{}: {}", printable(path), header.error().reason));
    header_ = std::move(*header);
    if (header_.version != kPackVersion)
      throw data_error(fmt::format(
          "{} is a packed file of version {}, this program writes version {}; choose another name",
          printable(path), header_.version, kPackVersion));
    if (header_.count == 0) {  // stopped before the first record: as good as new
      made_the_file_ = true;
      begin_header(header_, height, codec, crop);
    }
    if (header_.height != height || header_.codec != codec || header_.crop != crop)
      throw usage_error(
          fmt::format("{} holds {} records of {} px and crop size {}; "
                      "give --codec {} --height {} --crop-size {}, or another name",
                      printable(path), name_of(header_.codec), header_.height, header_.crop.text(),
                      name_of(header_.codec), header_.height, header_.crop.text()));
  }
  commit();  // from here on the file says what it is
}

PackWriter::~PackWriter() = default;

bool PackWriter::has(std::string_view identity) const {
  const auto id = identity_key(identity);
  MDB_val key = as_value(id), value{};
  const int found = mdb_get(lmdb_->transaction, lmdb_->databases[kIds], &key, &value);
  if (found != MDB_NOTFOUND) lmdb_->check(found);
  return found == MDB_SUCCESS;
}

void PackWriter::put(unsigned database, std::span<const uint8_t> key, std::span<const uint8_t> value,
                     unsigned flags) {
  MDB_val key_value = as_value(key), data = as_value(value);
  lmdb_->check(mdb_put(lmdb_->transaction, lmdb_->databases[database], &key_value, &data, flags));
}

void PackWriter::add(std::string_view identity, std::span<const uint8_t> meta,
                     std::span<const uint8_t> frame) {
  const auto key = record_key(static_cast<uint64_t>(header_.count));
  put(kMeta, key, meta, MDB_APPEND);
  put(kFrames, key, frame, MDB_APPEND);
  const auto id = identity_key(identity);
  put(kIds, id, key);
  MDB_val reject_key = as_value(id);
  const int was_rejected = mdb_del(lmdb_->transaction, lmdb_->databases[kRejects], &reject_key, nullptr);
  if (was_rejected != MDB_NOTFOUND) lmdb_->check(was_rejected);
  add_to_digest(header_.digest, stored_checksum(meta), stored_checksum(frame));
  header_.complete = false;
  header_.bytes += frame.size();
  ++header_.count;
  uncommitted_bytes_ += frame.size();
  commit_now_and_then();
}

void PackWriter::commit_now_and_then() {
  if (uncommitted_bytes_ >= kCommitBytes || since_commit_.seconds() >= kCommitSeconds) commit();
}

void PackWriter::reject(std::string_view identity, std::string_view path, std::string_view reason) {
  const std::string text =
      std::string(path) + '\n' + std::string(reason);  // a printable path has no line break
  put(kRejects, identity_key(identity), as_bytes(text));
  commit_now_and_then();
}

void PackWriter::visit_rejects(const std::function<void(std::string_view, std::string_view)>& visit) const {
  MDB_cursor* cursor = nullptr;
  lmdb_->check(mdb_cursor_open(lmdb_->transaction, lmdb_->databases[kRejects], &cursor));
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> closes(cursor, mdb_cursor_close);
  MDB_val key{}, value{};
  while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS) {
    const std::string_view text(static_cast<const char*>(value.mv_data), value.mv_size);
    const size_t line_break = text.find('\n');
    visit(text.substr(0, line_break), text.substr(line_break + 1));
  }
}

void PackWriter::put_header() {
  const std::string text = boost::json::serialize(header_.to_json());
  put(kHeader, as_bytes("header"), as_bytes(text));
}

void PackWriter::commit() {
  put_header();
  lmdb_->commit();
  uncommitted_bytes_ = 0;
  since_commit_ = Stopwatch();
  lmdb_->begin();
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
