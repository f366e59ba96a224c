// A run's folder: what lies in it, and who may write to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nowhere {

struct CheckpointFile {
  std::filesystem::path path;
  uint64_t epoch = 0;    // whole ones
  uint64_t batches = 0;  // of the epoch after, in a checkpoint within an epoch

  auto operator<=>(const CheckpointFile& other) const {
    return std::pair(epoch, batches) <=> std::pair(other.epoch, other.batches);
  }
  bool operator==(const CheckpointFile& other) const {
    return epoch == other.epoch && batches == other.batches;
  }
};

class RunDirectory {
 public:
  // Nothing is written before claim().
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  // Makes the folders (which go again when nothing was saved in them) and takes the lock, which ends with the process however it ends. Throws when another process
  // writes there, naming it, or when the folder cannot be written.
  void claim();
  // Whether a run has left something here.
  bool used() const;
  // Removes what a run writes, and nothing else.
  void clear();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.json"; }
  std::filesystem::path stats() const { return path_ / "stats.jsonl"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path events() const { return path_ / "events"; }
  std::filesystem::path figures() const { return path_ / "figures"; }
  std::filesystem::path videos() const { return path_ / "videos"; }
  std::filesystem::path fixed_noise(uint64_t epoch) const;  // the picture of the fixed noise after an epoch

  // checkpoint_{epoch}.pt, or checkpoint_{epoch}_batch_{batches}.pt within an epoch.
  std::filesystem::path checkpoint(uint64_t epoch, uint64_t batches = 0) const;
  std::filesystem::path slim_checkpoint(uint64_t epoch) const;
  std::vector<CheckpointFile> checkpoints() const;  // the newest first

  // Removes what a run wrote after this epoch: it is going another way now.
  void forget_after(uint64_t epoch) const;

  // Removes checkpoints within an epoch that an equal or later one has outlived, and of the others all but the newest
  // `keep_last` (0 for all) and `best`. Slim ones stay. Temporary files that a crash left go too.
  void prune(int64_t keep_last, std::optional<uint64_t> best) const;

 private:
  std::filesystem::path path_;
  int lock_ = -1;
  bool made_ = false;    // by us
  bool locked_ = false;  // by us
};

}  // namespace nowhere
