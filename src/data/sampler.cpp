#include "data/sampler.h"

#include <unordered_map>

#include "core/error.h"
#include "core/random.h"

namespace nowhere {

Sampler::Sampler(const Photos& photos, std::vector<uint32_t> selected, SamplerConfig config)
    : config_(config), selected_(std::move(selected)) {
  size_t taking_part = selected_.size();
  if (config_.max_per_drive > 0) {
    const auto most = static_cast<size_t>(config_.max_per_drive);
    std::unordered_map<uint32_t, size_t> place;  // of a drive in drives_, in the order of their first frames
    std::vector<std::vector<uint32_t>> drives;
    std::vector<uint32_t> always;
    for (uint32_t number : selected_) {
      const uint32_t sequence = photos.all[number].sequence;
      if (sequence == kNoString) {
        always.push_back(number);
        continue;
      }
      const auto [entry, is_new] = place.try_emplace(sequence, drives.size());
      if (is_new) drives.emplace_back();
      drives[entry->second].push_back(number);
    }
    taking_part = always.size();
    for (auto& drive : drives) {
      taking_part += std::min(drive.size(), most);
      if (drive.size() > most)
        drives_.push_back(std::move(drive));
      else
        always.insert(always.end(), drive.begin(), drive.end());
    }
    selected_ = std::move(always);
  }
  per_rank_ = taking_part / static_cast<size_t>(config_.world);
}

std::vector<uint32_t> Sampler::take_part(uint64_t number) const {
  std::vector<uint32_t> order = selected_;
  const auto most = static_cast<size_t>(config_.max_per_drive);
  for (size_t d = 0; d < drives_.size(); ++d) {
    Random random(config_.seed, Purpose::kShuffle, {number, 1, d});
    std::vector<uint32_t> frames = drives_[d];
    for (size_t i = 0; i < most; ++i) {  // the first steps of a shuffle are an even draw
      std::swap(frames[i], frames[i + random.below(frames.size() - i)]);
      order.push_back(frames[i]);
    }
  }
  return order;
}

std::vector<uint32_t> Sampler::epoch(uint64_t number) const {
  std::vector<uint32_t> order = take_part(number);
  if (config_.shuffle) Random(config_.seed, Purpose::kShuffle, {number, 0}).shuffle(order);
  if (config_.world == 1) return order;
  // Shuffled globally, then dealt out like cards: ranks get different photographs and equally many.
  std::vector<uint32_t> mine(per_rank_);
  for (size_t i = 0; i < per_rank_; ++i)
    mine[i] = order[i * static_cast<size_t>(config_.world) + static_cast<size_t>(config_.rank)];
  return mine;
}

}  // namespace nowhere
