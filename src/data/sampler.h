// Which photograph comes when: the order of every epoch, for every rank.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/permutation.h"
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
  // So many selected photographs, or more, are not shuffled in memory: each place of the order is computed.
  // It is another order, so this number is part of what saved runs go on with.
  size_t large_from = size_t{1} << 24;
};

class Sampler;

// The photographs of an epoch in one rank's order. The sampler outlives it.
class EpochOrder {
 public:
  size_t size() const;
  uint32_t operator[](size_t place) const;

 private:
  friend class Sampler;
  const Sampler* sampler_ = nullptr;
  uint64_t epoch_ = 0;
  std::vector<uint32_t> shuffled_;          // of a small set
  std::optional<Permutation> permutation_;  // of a large one, where it is shuffled
};

// A pure function of its configuration: nothing to save but the epoch's number.
class Sampler {
 public:
  // `selected` photographs of the table take part.
  Sampler(const Photos& photos, std::vector<uint32_t> selected, SamplerConfig config);
  // The first `count` photographs take part; nobody lists their numbers.
  static Sampler of_first(const Photos& photos, size_t count, SamplerConfig config);

  // Photographs in an epoch of one rank: the same for every rank and every epoch.
  size_t size() const { return per_rank_; }

  // Costs a shuffle of all that take part where they are few, and nothing where they are many.
  EpochOrder order(uint64_t epoch) const;
  // The same as a list: [size()].
  std::vector<uint32_t> epoch(uint64_t number) const;

 private:
  friend class EpochOrder;

  explicit Sampler(const SamplerConfig& config) : config_(config) {}
  void prepare(const Photos& photos);
  void part_sequences(const Photos& photos);
  void group_sequences(const Photos& photos);
  uint32_t selected(size_t place) const {
    return selected_.empty() ? static_cast<uint32_t>(place) : selected_[place];
  }
  std::vector<uint32_t> take_part(uint64_t number) const;
  std::vector<uint32_t> shuffled(uint64_t number) const;
  uint32_t computed(uint64_t epoch, uint64_t place) const;

  SamplerConfig config_;
  bool large_ = false;
  size_t count_ = 0;                // selected
  std::vector<uint32_t> selected_;  // their numbers; empty: the first count_
  size_t taking_part_ = 0;          // in an epoch, on all ranks
  size_t per_rank_ = 0;

  // Of a small set with a limit: selected_ are those that take part in every epoch, and these are the
  // sequences that have more frames than may.
  std::vector<std::vector<uint32_t>> long_sequences_;

  // Of a large set with a limit: all frames by sequence, 4 bytes each. Sequence s has those from
  // frames_begin_[s] to frames_begin_[s + 1], and the places from places_begin_[s] on in an epoch.
  std::vector<uint32_t> frames_;
  std::vector<uint64_t> frames_begin_, places_begin_;
};

}  // namespace nowhere
