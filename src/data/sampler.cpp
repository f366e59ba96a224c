#include "data/sampler.h"

#include <algorithm>
#include <unordered_map>

#include "core/random.h"

namespace nowhere {

Sampler::Sampler(const Photos& photos, std::vector<uint32_t> selected, SamplerConfig config)
    : config_(config), selected_(std::move(selected)) {
  size_t taking_part = selected_.size();
  if (config_.max_per_sequence_epoch > 0) {
    const auto limit = static_cast<size_t>(config_.max_per_sequence_epoch);
    std::unordered_map<uint32_t, size_t>
        place;  // of a sequence in the list, in the order of their first frames
    std::vector<std::vector<uint32_t>> sequences;
    std::vector<uint32_t> always;
    for (uint32_t number : selected_) {
      const uint32_t sequence = photos.all[number].sequence;
      if (sequence == kNoString) {
        always.push_back(number);
        continue;
      }
      const auto [entry, is_new] = place.try_emplace(sequence, sequences.size());
      if (is_new) sequences.emplace_back();
      sequences[entry->second].push_back(number);
    }
    taking_part = always.size();
    for (auto& frames : sequences) {
      taking_part += std::min(frames.size(), limit);
      if (frames.size() > limit)
        long_sequences_.push_back(std::move(frames));
      else
        always.insert(always.end(), frames.begin(), frames.end());
    }
    selected_ = std::move(always);
  }
  per_rank_ = taking_part / static_cast<size_t>(config_.world_size);
}

std::vector<uint32_t> Sampler::take_part(uint64_t number) const {
  std::vector<uint32_t> order = selected_;
  const auto limit = static_cast<size_t>(config_.max_per_sequence_epoch);
  for (size_t s = 0; s < long_sequences_.size(); ++s) {
    Random random(config_.seed, Purpose::kShuffle, {number, 1, s});
    std::vector<uint32_t> frames = long_sequences_[s];
    for (size_t i = 0; i < limit; ++i) {  // the first steps of a shuffle are a uniform draw
      std::swap(frames[i], frames[i + random.below(frames.size() - i)]);
      order.push_back(frames[i]);
    }
  }
  return order;
}

std::vector<uint32_t> Sampler::epoch(uint64_t number) const {
  std::vector<uint32_t> order = take_part(number);
  if (config_.shuffle) Random(config_.seed, Purpose::kShuffle, {number, 0}).shuffle(order);
  if (config_.world_size == 1) return order;
  // Shuffled globally, then dealt out like cards: ranks get different photographs and equally many.
  std::vector<uint32_t> mine(per_rank_);
  for (size_t i = 0; i < per_rank_; ++i)
    mine[i] = order[i * static_cast<size_t>(config_.world_size) + static_cast<size_t>(config_.rank)];
  return mine;
}

}  // namespace nowhere
