// How checkpoints are called: checkpoint_3.pt, slim_checkpoint_3.pt, checkpoint_3_batch_40.pt.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nowhere {

struct CheckpointName {
  uint64_t epoch = 0;    // whole epochs trained
  uint64_t batches = 0;  // of the next epoch, in a checkpoint within an epoch
  bool slim = false;     // generator only

  bool within_epoch() const { return batches > 0; }
  std::string file_name() const;

  // Nothing when the file is not a checkpoint.
  static std::optional<CheckpointName> parse(std::string_view file_name);

  // By progress; of the same progress the slim one is last.
  auto operator<=>(const CheckpointName&) const = default;
};

}  // namespace nowhere
