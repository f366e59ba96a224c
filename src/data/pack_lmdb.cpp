#include "data/pack_lmdb.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <lmdb.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "core/file.h"

namespace nowhere {
namespace {

// Room that a transaction finds in the map. It is address space, neither memory nor disk: the file grows as
// records are written, and the map between transactions.
constexpr size_t kMapRoom = size_t{2} << 30;
// With less than this left, a failed write is for want of space.
constexpr uintmax_t kNearlyFull = uintmax_t{64} << 20;
constexpr std::array<const char*, 6> kDatabaseNames = {kHeaderDb, kMetaDb,    kFramesDb,
                                                       kIdsDb,    kOriginsDb, kRejectsDb};

MDB_val as_value(PackLmdb::Bytes bytes) {
  return {bytes.size(), const_cast<uint8_t*>(bytes.data())};
}

PackLmdb::Bytes as_bytes(const MDB_val& value) {
  return {static_cast<const uint8_t*>(value.mv_data), value.mv_size};
}

}  // namespace

PackLmdb::~PackLmdb() {
  if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  if (environment_ != nullptr) mdb_env_close(environment_);
}

void PackLmdb::check(int code) const {
  if (code == MDB_SUCCESS) return;
  if (code == ENOSPC || code == EDQUOT || (code == EIO && disk_is_full()))
    throw Error(
        fmt::format("no space left for {}; what was packed so far is safe: "
                    "free some space and run the same command again to continue where it stopped",
                    printable(path_)));
  throw Error(fmt::format("cannot write {}: {}", printable(path_),
                          code > 0 ? system_reason(code) : mdb_strerror(code)));
}

// LMDB reports a write that the disk took only in part as an input/output error.
bool PackLmdb::disk_is_full() const {
  std::error_code error;
  const auto space = std::filesystem::space(path_, error);
  return !error && space.available < kNearlyFull;
}

bool PackLmdb::take_lock() {
  lock_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  const bool is_new = lock_.is_open();
  if (!is_new && errno == EEXIST) lock_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  if (!lock_.is_open())
    throw Error(fmt::format("cannot write {}: {}", printable(path_), system_reason(errno)));
  if (::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0)
    throw Error(fmt::format("{} is being written by another process; wait for it, or choose another name",
                            printable(path_)));
  return is_new;
}

void PackLmdb::open() {
  check(mdb_env_create(&environment_));
  check(mdb_env_set_maxdbs(environment_, kDatabaseNames.size()));
  // Our own lock is held already, so LMDB needs no lock file beside the pack.
  check(mdb_env_open(environment_, path_.c_str(), MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS, 0644));
  begin();
  for (size_t i = 0; i < kDatabaseNames.size(); ++i)
    check(mdb_dbi_open(transaction_, kDatabaseNames[i], MDB_CREATE, &databases_[i]));
}

void PackLmdb::begin() {
  MDB_envinfo info{};
  MDB_stat stat{};
  check(mdb_env_info(environment_, &info));
  check(mdb_env_stat(environment_, &stat));
  const size_t used = (info.me_last_pgno + 1) * stat.ms_psize;
  if (used + kMapRoom / 2 > info.me_mapsize) check(mdb_env_set_mapsize(environment_, used + kMapRoom));
  check(mdb_txn_begin(environment_, nullptr, 0, &transaction_));
}

void PackLmdb::commit() {
  MDB_txn* ending = std::exchange(transaction_, nullptr);  // gone even when the commit fails
  check(mdb_txn_commit(ending));
  begin();
}

PackLmdb::Bytes PackLmdb::find(Database database, Bytes key) const {
  MDB_val key_value = as_value(key), value{};
  const int found = mdb_get(transaction_, databases_[database], &key_value, &value);
  if (found == MDB_NOTFOUND) return {};
  check(found);
  return as_bytes(value);
}

void PackLmdb::put(Database database, Bytes key, Bytes value) {
  MDB_val key_value = as_value(key), data = as_value(value);
  check(mdb_put(transaction_, databases_[database], &key_value, &data, 0));
}

void PackLmdb::append(Database database, Bytes key, Bytes value) {
  MDB_val key_value = as_value(key), data = as_value(value);
  check(mdb_put(transaction_, databases_[database], &key_value, &data, MDB_APPEND));
}

void PackLmdb::remove(Database database, Bytes key) {
  MDB_val key_value = as_value(key);
  const int removed = mdb_del(transaction_, databases_[database], &key_value, nullptr);
  if (removed != MDB_NOTFOUND) check(removed);
}

void PackLmdb::visit(Database database, Bytes prefix,
                     const std::function<void(Bytes key, Bytes value)>& visit) const {
  MDB_cursor* cursor = nullptr;
  check(mdb_cursor_open(transaction_, databases_[database], &cursor));
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> closes(cursor, mdb_cursor_close);
  MDB_val key = as_value(prefix), value{};
  int found = mdb_cursor_get(cursor, &key, &value, prefix.empty() ? MDB_FIRST : MDB_SET_RANGE);
  for (; found == MDB_SUCCESS; found = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    const Bytes bytes = as_bytes(key);
    if (bytes.size() < prefix.size() || !std::equal(prefix.begin(), prefix.end(), bytes.begin())) return;
    visit(bytes, as_bytes(value));
  }
  if (found != MDB_NOTFOUND) check(found);
}

}  // namespace nowhere
