// LMDB under a packed file that is being written: the lock, the databases, the open transaction.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "core/descriptor.h"
#include "data/pack_format.h"

struct MDB_env;
struct MDB_txn;

namespace nowhere {

// Every failure of LMDB is an Error that names the file. Used from one thread.
class PackLmdb {
 public:
  using Bytes = std::span<const uint8_t>;
  enum Database : unsigned { kHeader, kMeta, kFrames, kIds, kOrigins, kRejects };

  explicit PackLmdb(std::filesystem::path path) : path_(std::move(path)) {}
  ~PackLmdb();
  PackLmdb(const PackLmdb&) = delete;
  PackLmdb& operator=(const PackLmdb&) = delete;

  // Locks the file, which is made if need be; true when it was not there before.
  bool take_lock();
  void open();
  // Writes what the open transaction has changed, and begins the next.
  void commit();

  // The value of a key, valid until the next change; empty when there is none.
  Bytes find(Database database, Bytes key) const;
  void put(Database database, Bytes key, Bytes value);
  void append(Database database, Bytes key, Bytes value);  // a key behind all others
  void remove(Database database, Bytes key);               // if it is there
  // Calls visit(key, value) for the keys that begin with `prefix`, in order. It must not change anything.
  void visit(Database database, Bytes prefix, const std::function<void(Bytes key, Bytes value)>& visit) const;

 private:
  void check(int code) const;
  bool disk_is_full() const;
  void begin();

  std::filesystem::path path_;
  Descriptor lock_;
  MDB_env* environment_ = nullptr;
  MDB_txn* transaction_ = nullptr;
  std::array<unsigned, 6> databases_{};
};

}  // namespace nowhere
