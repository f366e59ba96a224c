// Which photograph comes when: the order of every epoch, for every rank.
#pragma once

#include <cstdint>
#include <vector>

#include "data/photos.h"

namespace nowhere {

struct SamplerConfig {
  uint64_t seed = 0;
  bool shuffle = true;  // or in the order given
  // At most so many frames of a sequence in an epoch, drawn anew for each epoch; 0 for all. Long sequences of
  // near-identical frames would otherwise be most of what the network sees.
  int64_t max_per_sequence_epoch = 0;
  int rank = 0;
  int world_size = 1;
};

// A pure function of its configuration: nothing to save but the epoch's number.
class Sampler {
 public:
  // `selected` photographs of the table take part.
  Sampler(const Photos& photos, std::vector<uint32_t> selected, SamplerConfig config);

  // Photographs in an epoch of one rank: the same for every rank and every epoch.
  size_t size() const { return per_rank_; }

  // The photographs of an epoch in this rank's order: [size()].
  std::vector<uint32_t> epoch(uint64_t number) const;

 private:
  std::vector<uint32_t> take_part(uint64_t number) const;

  SamplerConfig config_;
  std::vector<uint32_t> selected_;                     // those that take part in every epoch
  std::vector<std::vector<uint32_t>> long_sequences_;  // those with more frames than may take part
  size_t per_rank_ = 0;
};

}  // namespace nowhere
