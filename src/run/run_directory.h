// A run's folder for the process that writes to it: what lies where, the lock, and which checkpoints stay.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "run/checkpoint_name.h"

namespace nowhere {

class RunDirectory {
 public:
  // Nothing is written before claim().
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  // Makes the folders (removed again when nothing was saved in them) and takes the lock, which ends with the
  // process however it ends. Throws when another process writes there, naming it, or when the folder cannot
  // be written.
  void claim();
  // Whether a run has left something here.
  bool used() const;
  // Whether a process has had it, which may have been killed before it wrote anything.
  bool claimed_before() const;
  // Removes what a run writes, and nothing else.
  void clear();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.json"; }
  std::filesystem::path stats() const { return path_ / "stats.jsonl"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path best() const { return path_ / "best.json"; }
  std::filesystem::path events() const { return path_ / "events"; }
  std::filesystem::path figures() const { return path_ / "figures"; }
  std::filesystem::path videos() const { return path_ / "videos"; }
  std::filesystem::path report() const { return path_ / "report"; }
  std::filesystem::path scores() const { return report() / "scores.json"; }
  std::filesystem::path fixed_noise() const { return figures() / "fixed_noise"; }
  // The picture of the fixed noise after an epoch.
  std::filesystem::path fixed_noise(uint64_t epoch) const;

  std::filesystem::path file(const CheckpointName& name) const { return path_ / name.file_name(); }
  std::filesystem::path checkpoint(uint64_t epoch, uint64_t batches = 0) const;
  std::filesystem::path slim_checkpoint(uint64_t epoch) const;
  // Full checkpoints, the newest first.
  std::vector<CheckpointName> checkpoints() const;

  // Removes what a run wrote after this epoch, because training goes on from there.
  void forget_after(uint64_t epoch) const;

  // Takes a damaged checkpoint out of the way of those that training writes from now on: it is renamed to
  // checkpoint_5.pt.damaged, and nothing is lost. Gives the new name. Throws when it cannot be renamed.
  std::filesystem::path set_aside(const CheckpointName& name) const;

  // Removes checkpoints within an epoch when an equal or later one exists, and of the others all but the
  // newest `keep_last` (0 for all) and `best`; never the one that was `written` just now. Slim ones stay.
  // Temporary files that a crash left are removed too.
  void prune(int64_t keep_last, std::optional<uint64_t> best, const CheckpointName& written) const;

 private:
  std::filesystem::path path_;
  Descriptor lock_;
  bool made_ = false;    // by this object
  bool locked_ = false;  // by this object
};

}  // namespace nowhere
