// The models of a run, or the single one of a lone checkpoint. Free of LibTorch: a loader makes a model of a
// file.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "run/run_reader.h"
#include "serve/model_provider.h"

namespace nowhere {

struct RunModelConfig {
  std::optional<uint64_t> epoch;             // of the current model; nothing for the newest
  bool follow = false;                       // take newer checkpoints as training writes them
  std::chrono::milliseconds list_for{1000};  // how long a list of the epochs serves
  std::function<void(const std::string& what)> on_error = {};
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

// A checkpoint is resolved once, and then exactly that file is loaded. Files are listed and loaded without a
// mutex held, so neither current() nor epochs() ever waits for a slow store that another thread is reading.
class RunModelProvider : public ModelProvider {
 public:
  // May throw. open() and look_for_newer() call it on their thread, load() on the inference thread.
  using Loader = std::function<std::shared_ptr<Model>(const RunReader& run, const CheckpointFile& file)>;

  // Lists the epochs; loads nothing yet.
  RunModelProvider(RunReader run, Loader loader, RunModelConfig config);

  std::shared_ptr<Model> current() const override;
  // Listed again when the list is empty or old. One caller at a time does that; others get the last list, as
  // all do when a store that had epochs does not answer.
  std::vector<SavedEpoch> epochs() const override;
  // By the last list, or else by a new one.
  std::shared_ptr<Model> load(uint64_t epoch) override;
  bool following() const override { return config_.follow; }

  // Loads the current model. Throws when that fails.
  void open();
  // When following, takes a checkpoint that is newer than the current one. If it cannot be loaded, the
  // current model stays, the error is reported once, and the file is not tried again until it changes; unless
  // the store failed and not the file. One thread calls this and open().
  void look_for_newer();

 private:
  struct Loaded {
    std::shared_ptr<Model> model;
    uint64_t stamp = 0;  // of its file
  };

  void serve(const CheckpointFile& file);
  std::shared_ptr<Model> load_if_there(const CheckpointFile& file) const;  // null when it is gone
  void report(const std::string& what);                                    // once, until it changes

  const RunReader run_;
  const Loader loader_;
  const RunModelConfig config_;

  // Of the thread that calls open() and look_for_newer().
  std::optional<CheckpointFile> tried_;  // the last checkpoint that was to become the current one
  std::string reported_;                 // the last error; empty since a look that went well

  mutable std::mutex current_mutex_;  // guards current_
  Loaded current_;

  mutable std::mutex files_mutex_;             // guards what follows
  mutable std::vector<CheckpointFile> files_;  // of the epochs, as they were listed
  mutable std::chrono::steady_clock::time_point listed_at_;
  mutable bool listing_ = false;  // by some thread, at this moment
};

}  // namespace nowhere
