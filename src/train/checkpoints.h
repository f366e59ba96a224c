// Writes checkpoints in the background, and decides which stay.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "archive/value.h"
#include "core/background.h"
#include "run/best_checkpoint.h"
#include "run/run_directory.h"
#include "train/config.h"

namespace nowhere {

class Checkpoints {
 public:
  // Both are called on the background thread: `written(epoch, seconds)` for each save, and for those with a
  // slim checkpoint `slim_written` with its file.
  Checkpoints(const RunDirectory& run, const TrainConfig& config, Background& background,
              std::function<void(uint64_t, double)> written,
              std::function<void(const std::filesystem::path&)> slim_written = {});

  // One save: the snapshot, for whole epochs a slim one and the score by which the best is kept.
  struct Save {
    uint64_t epoch = 0, batches = 0;
    Value full;
    std::optional<Value> slim;
    std::optional<double> score;  // higher is better
  };
  // Writes in the background. What fails there (a full disk) is told by the background's complaint, and what
  // was there before stays.
  void save(Save save);
  // Whether the last one could not be written. To be asked when the background has finished.
  bool failed() const { return failed_; }

 private:
  void write(const Save& save);

  const RunDirectory& run_;
  const TrainConfig& config_;
  Background& background_;
  std::function<void(uint64_t, double)> written_;
  std::function<void(const std::filesystem::path&)> slim_written_;
  std::optional<BestCheckpoint> best_;  // the background thread's
  std::atomic<bool> failed_ = false;
};

// A checkpoint that was read.
struct LoadedCheckpoint {
  CheckpointName name;
  std::filesystem::path file;
  Value value;
};

// The newest checkpoint that is whole; nothing when there is none. Damaged ones are set aside and told to
// `warn`. The run is claimed.
std::optional<LoadedCheckpoint> newest_checkpoint(const RunDirectory& run,
                                                  const std::function<void(const std::string&)>& warn);

}  // namespace nowhere
