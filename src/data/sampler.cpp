#include "data/sampler.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/random.h"

namespace nowhere {
namespace {

// What the streams of an epoch are for, the second number of their keys.
enum Draw : uint64_t { kOrder = 0, kFramesOfSequence = 1, kLargeOrder = 2, kFramesOfLarge = 3 };

}  // namespace

size_t EpochOrder::size() const {
  return sampler_->size();
}

uint32_t EpochOrder::operator[](size_t place) const {
  if (!shuffled_.empty()) return shuffled_[place];
  // Shuffled globally, then dealt out like cards: ranks get different photographs and equally many.
  const uint64_t of_all = place * static_cast<uint64_t>(sampler_->config_.world_size) +
                          static_cast<uint64_t>(sampler_->config_.rank);
  return sampler_->computed(epoch_, permutation_ ? (*permutation_)(of_all) : of_all);
}

Sampler::Sampler(const Photos& photos, std::vector<uint32_t> selected, SamplerConfig config)
    : config_(config), count_(selected.size()), selected_(std::move(selected)) {
  if (count_ >= config_.large_from) {  // all of them need no list
    size_t same = 0;
    while (same < count_ && selected_[same] == same) ++same;
    if (same == count_) selected_ = {};
  }
  prepare(photos);
}

Sampler Sampler::of_first(const Photos& photos, size_t count, SamplerConfig config) {
  Sampler sampler(config);
  sampler.count_ = count;
  sampler.prepare(photos);
  return sampler;
}

void Sampler::prepare(const Photos& photos) {
  large_ = count_ >= config_.large_from;
  taking_part_ = count_;
  if (config_.max_per_sequence_epoch > 0) large_ ? group_sequences(photos) : part_sequences(photos);
  per_rank_ = taking_part_ / static_cast<size_t>(config_.world_size);
}

void Sampler::part_sequences(const Photos& photos) {
  const auto limit = static_cast<size_t>(config_.max_per_sequence_epoch);
  // Of a sequence in the list, in the order of their first frames.
  std::unordered_map<uint32_t, size_t> place;
  std::vector<std::vector<uint32_t>> sequences;
  std::vector<uint32_t> always;
  for (size_t i = 0; i < count_; ++i) {
    const uint32_t number = selected(i), sequence = photos.all[number].sequence;
    if (sequence == kNoString) {
      always.push_back(number);
      continue;
    }
    const auto [entry, is_new] = place.try_emplace(sequence, sequences.size());
    if (is_new) sequences.emplace_back();
    sequences[entry->second].push_back(number);
  }
  taking_part_ = always.size();
  for (auto& frames : sequences) {
    taking_part_ += std::min(frames.size(), limit);
    if (frames.size() > limit)
      long_sequences_.push_back(std::move(frames));
    else
      always.insert(always.end(), frames.begin(), frames.end());
  }
  count_ = always.size();
  selected_ = std::move(always);
}

// Two passes, so that no sequence needs a list of its own. Photographs without a sequence come first, as one
// that has no limit.
void Sampler::group_sequences(const Photos& photos) {
  const auto limit = static_cast<uint64_t>(config_.max_per_sequence_epoch);
  std::vector<uint32_t> group_of(photos.sequences.size(), kNoString);
  std::vector<uint64_t> sizes(1, 0);
  const auto group = [&](uint32_t number) {
    const uint32_t sequence = photos.all[number].sequence;
    if (sequence == kNoString) return size_t{0};
    if (group_of[sequence] == kNoString) {
      group_of[sequence] = static_cast<uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    return static_cast<size_t>(group_of[sequence]);
  };
  for (size_t i = 0; i < count_; ++i) {
    const size_t found = group(selected(i));
    ++sizes[found];
  }
  frames_begin_.assign(1, 0);
  places_begin_.assign(1, 0);
  for (size_t s = 0; s < sizes.size(); ++s) {
    frames_begin_.push_back(frames_begin_.back() + sizes[s]);
    places_begin_.push_back(places_begin_.back() + (s == 0 ? sizes[s] : std::min(sizes[s], limit)));
  }
  frames_.resize(count_);
  std::vector<uint64_t> next(frames_begin_.begin(), frames_begin_.end() - 1);
  for (size_t i = 0; i < count_; ++i) frames_[next[group(selected(i))]++] = selected(i);
  selected_ = {};
  taking_part_ = places_begin_.back();
}

std::vector<uint32_t> Sampler::take_part(uint64_t number) const {
  std::vector<uint32_t> order(count_);
  for (size_t i = 0; i < count_; ++i) order[i] = selected(i);
  const auto limit = static_cast<size_t>(config_.max_per_sequence_epoch);
  for (size_t s = 0; s < long_sequences_.size(); ++s) {
    Random random(config_.seed, Purpose::kShuffle, {number, kFramesOfSequence, s});
    std::vector<uint32_t> frames = long_sequences_[s];
    for (size_t i = 0; i < limit; ++i) {  // the first steps of a shuffle are a uniform draw
      std::swap(frames[i], frames[i + random.below(frames.size() - i)]);
      order.push_back(frames[i]);
    }
  }
  return order;
}

std::vector<uint32_t> Sampler::shuffled(uint64_t number) const {
  std::vector<uint32_t> order = take_part(number);
  if (config_.shuffle) Random(config_.seed, Purpose::kShuffle, {number, kOrder}).shuffle(order);
  if (config_.world_size == 1) return order;
  std::vector<uint32_t> mine(per_rank_);
  for (size_t i = 0; i < per_rank_; ++i)
    mine[i] = order[i * static_cast<size_t>(config_.world_size) + static_cast<size_t>(config_.rank)];
  return mine;
}

// The photograph at a place of all those that take part, before they are shuffled.
uint32_t Sampler::computed(uint64_t epoch, uint64_t place) const {
  if (frames_.empty()) return selected(static_cast<size_t>(place));
  const auto after = std::upper_bound(places_begin_.begin(), places_begin_.end(), place);
  const auto s = static_cast<size_t>(after - places_begin_.begin()) - 1;
  uint64_t frame = place - places_begin_[s];
  const uint64_t frames = frames_begin_[s + 1] - frames_begin_[s];
  if (places_begin_[s + 1] - places_begin_[s] < frames)
    frame = Permutation(frames, Random(config_.seed, Purpose::kShuffle, {epoch, kFramesOfLarge, s}))(frame);
  return frames_[frames_begin_[s] + frame];
}

EpochOrder Sampler::order(uint64_t epoch) const {
  EpochOrder order;
  order.sampler_ = this;
  order.epoch_ = epoch;
  if (!large_)
    order.shuffled_ = shuffled(epoch);
  else if (config_.shuffle && taking_part_ > 0)
    order.permutation_.emplace(taking_part_, Random(config_.seed, Purpose::kShuffle, {epoch, kLargeOrder}));
  return order;
}

std::vector<uint32_t> Sampler::epoch(uint64_t number) const {
  if (!large_) return shuffled(number);
  const EpochOrder places = order(number);
  std::vector<uint32_t> mine(size());
  for (size_t i = 0; i < mine.size(); ++i) mine[i] = places[i];
  return mine;
}

}  // namespace nowhere
