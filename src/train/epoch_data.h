// What decides on the batches of an epoch, and whether it is still the same when a run goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/value.h"
#include "data/photos.h"
#include "train/config.h"

namespace nowhere {

// What a checkpoint does not say, as those of the reference and of earlier versions, is left out.
struct EpochData {
  std::optional<uint64_t> seed;
  std::optional<int64_t> batch_size, photographs, max_per_sequence_epoch;
  std::optional<int64_t> ranks;       // processes, each with batches of that size
  std::optional<std::string> digest;  // of the photographs in their order
};

EpochData epoch_data(const TrainConfig& config, const Photos& photos, const std::vector<uint32_t>& selected,
                     int ranks = 1);

// As entries of a checkpoint's `loader`.
void add_epoch_data(Dict& loader, const EpochData& data);
EpochData epoch_data_of(const Value& checkpoint);

// "the seed was 1 and is 2, and the photographs are others"; empty when nothing differs that is known.
std::string differences(const EpochData& before, const EpochData& now);

// Where a run with another number of processes goes on within an epoch: photographs come in the same order,
// so none is seen twice.
struct Continuation {
  uint64_t batches = 0;  // of the epoch, of each process
  int64_t skipped = 0;   // photographs that no process sees in this epoch
};
// Nothing when more than the number of processes differs.
std::optional<Continuation> go_on_with_other_ranks(const EpochData& before, const EpochData& now,
                                                   uint64_t batches);

}  // namespace nowhere
