// The generators of a run directory, or the one of a file, as the server wants them.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "serve/model_provider.h"

namespace nowhere {

class RunModelProvider : public ModelProvider {
 public:
  // `epoch`: the one that answers; nothing for the newest. Nothing is read yet.
  RunModelProvider(std::filesystem::path run, std::optional<uint64_t> epoch, bool follow, int threads);

  std::shared_ptr<Model> current() const override;
  std::vector<SavedEpoch> epochs() const override;
  std::shared_ptr<Model> load(uint64_t epoch) override;
  bool following() const override { return follow_; }

  // Loads the model that answers. Throws when that does not work.
  void open();
  // Looks for a newer checkpoint and takes it; where it is bad the old one stays, and that is told once. Of one thread.
  void look_for_newer();

 private:
  std::shared_ptr<Model> make_model(std::optional<uint64_t> epoch) const;

  const std::filesystem::path run_;
  const std::optional<uint64_t> epoch_;
  const bool follow_;
  const int threads_;   // of each generator; 0: as many as there are cores
  uint64_t stamp_ = 0;  // of the file that answers, or that was refused

  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<Model> current_;
  mutable std::vector<SavedEpoch> epochs_;
  mutable std::chrono::steady_clock::time_point epochs_read_;
};

}  // namespace nowhere
