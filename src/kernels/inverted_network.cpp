#include "kernels/inverted_network.h"

#include <algorithm>
#include <utility>

namespace nowhere {
namespace {

// So many pictures go together through blocks whose maps have few places: weights are read once for all.
constexpr int64_t kTogether = 4, kFewPlaces = 64;

}  // namespace

// Planned once: two buffers that blocks read and write in turn, one where pictures meet that went alone until
// then, and what a block or the stem uses meanwhile.
struct InvertedNetwork::Workspace {
  explicit Workspace(const InvertedNetwork& network) {
    const auto& blocks = network.blocks_;
    const size_t meet = network.together_from_;
    int64_t boundary = blocks.front().in_size(), used = network.stem_.scratch();
    for (size_t i = 0; i < blocks.size(); ++i) {
      const int64_t pictures = i < meet ? 1 : kTogether;
      boundary = std::max({boundary, pictures * blocks[i].in_size(), pictures * blocks[i].out_size()});
      used = std::max(used, pictures * blocks[i].scratch());
    }
    const int64_t joined =
        kTogether * (meet < blocks.size() ? blocks[meet].in_size() : blocks.back().out_size());
    numbers.resize(static_cast<size_t>(2 * boundary + joined + used));
    one = numbers.data();
    other = one + boundary;
    together = other + boundary;
    scratch = together + joined;
  }

  float* not_this(const float* buffer) const { return buffer == one ? other : one; }

  std::vector<float> numbers;
  float *one, *other, *together, *scratch;
};

InvertedNetwork::InvertedNetwork(const InvertedNetworkWeights& weights)
    : stem_(weights.stem, weights.stem_weights, weights.stem_bias), map_of_(weights.blocks.size()) {
  for (size_t i = 0; i < weights.maps.size(); ++i) map_of_[weights.maps[i]] = i;
  bit_bytes_ = stem_.bit_bytes();
  for (const InvertedBlockWeights& block : weights.blocks) {
    bits_before_.push_back(bit_bytes_);
    blocks_.emplace_back(block);
    bit_bytes_ += blocks_.back().expand_bytes() + blocks_.back().depthwise_bytes();
  }
  while (together_from_ < blocks_.size() && blocks_[together_from_].in_places() > kFewPlaces)
    ++together_from_;
}

InvertedNetwork::~InvertedNetwork() = default;

std::unique_ptr<InvertedNetwork::Workspace> InvertedNetwork::borrow() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto space = std::move(idle_.back());
      idle_.pop_back();
      return space;
    }
  }
  return std::make_unique<Workspace>(*this);
}

void InvertedNetwork::give_back(std::unique_ptr<Workspace> space) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(space));
}

// The bits of a batch stand pass by pass, so that those of neighbouring pictures follow each other.
template <class Byte>
BlockBits<Byte> InvertedNetwork::bits_of(size_t block, const Group& group, Byte* bits) const {
  if (bits == nullptr) return {};
  const InvertedBlock& shape = blocks_[block];
  Byte* own = bits + group.batch * bits_before_[block];
  return {shape.expands() ? own + group.first * shape.expand_bytes() : bits + group.first * stem_.bit_bytes(),
          own + group.batch * shape.expand_bytes() + group.first * shape.depthwise_bytes()};
}

void InvertedNetwork::run_block(size_t block, const Group& group, const float* in,
                                std::span<float* const> maps, uint8_t* bits, float* scratch,
                                float* out) const {
  const InvertedBlock& shape = blocks_[block];
  shape.forward(in, group.count, bits_of(block, group, bits), scratch, out);
  if (!map_of_[block]) return;
  const int64_t channels = shape.out_channels(), padded = padded_channels(channels),
                places = shape.out_places();
  float* map = maps[*map_of_[block]] + group.first * places * channels;
  for (int64_t place = 0; place < group.count * places; ++place)
    std::copy_n(out + place * padded, channels, map + place * channels);
}

void InvertedNetwork::forward(const PictureBatch& pictures, PictureRange range, std::span<float* const> maps,
                              uint8_t* bits) const {
  auto space = borrow();
  const size_t meet = together_from_;
  for (int64_t begin = range.begin; begin < range.end; begin += kTogether) {
    const Group group{begin, std::min(kTogether, range.end - begin), pictures.count};
    for (int64_t i = 0; i < group.count; ++i) {
      const Group alone{begin + i, 1, pictures.count};
      float* const meeting =
          space->together + i * (meet < blocks_.size() ? blocks_[meet].in_size() : blocks_.back().out_size());
      float* in = meet == 0 ? meeting : space->one;
      stem_.forward(pictures[alone.first], bits != nullptr ? bits + alone.first * stem_.bit_bytes() : nullptr,
                    space->scratch, in);
      for (size_t block = 0; block < meet; ++block) {
        float* out = block + 1 == meet ? meeting : space->not_this(in);
        run_block(block, alone, in, maps, bits, space->scratch, out);
        in = out;
      }
    }
    float* in = space->together;
    for (size_t block = meet; block < blocks_.size(); ++block) {
      float* out = space->not_this(in);
      run_block(block, group, in, maps, bits, space->scratch, out);
      in = out;
    }
  }
  give_back(std::move(space));
}

void InvertedNetwork::add_map_gradient(size_t block, const Group& group,
                                       std::span<const MapGradient> gradients, float* out) const {
  if (!map_of_[block] || gradients[*map_of_[block]].first == nullptr) return;
  const MapGradient& gradient = gradients[*map_of_[block]];
  const InvertedBlock& shape = blocks_[block];
  const int64_t channels = shape.out_channels(), padded = padded_channels(channels), side = shape.out_side();
  for (int64_t picture = group.first; picture < group.first + group.count; ++picture)
    for (int64_t y = 0; y < side; ++y)
      for (int64_t x = 0; x < side; ++x, out += padded) {
        const float* from = gradient.first + picture * gradient.picture_stride + y * gradient.row_stride +
                            x * gradient.column_stride;
        for (int64_t c = 0; c < channels; ++c) out[c] += from[c * gradient.channel_stride];
      }
}

void InvertedNetwork::return_block(size_t block, const Group& group, const float* gradient,
                                   std::span<const MapGradient> gradients, const uint8_t* bits,
                                   float* scratch, float* out) const {
  blocks_[block].backward(gradient, group.count, bits_of(block, group, bits), scratch, out);
  if (block > 0) add_map_gradient(block - 1, group, gradients, out);
}

void InvertedNetwork::backward(std::span<const MapGradient> gradients, const uint8_t* bits, int64_t count,
                               PictureRange range, float* out) const {
  auto space = borrow();
  const size_t meet = together_from_, last = blocks_.size() - 1;
  const int64_t meeting_size = meet <= last ? blocks_[meet].in_size() : blocks_[last].out_size();
  const int64_t picture_size = stem_.shape().side * stem_.shape().side * kColours;
  for (int64_t begin = range.begin; begin < range.end; begin += kTogether) {
    const Group group{begin, std::min(kTogether, range.end - begin), count};
    float* gradient = meet <= last ? space->one : space->together;
    std::fill_n(gradient, group.count * blocks_[last].out_size(), 0.0f);
    add_map_gradient(last, group, gradients, gradient);
    for (size_t block = blocks_.size(); block-- > meet;) {
      float* before = block == meet ? space->together : space->not_this(gradient);
      return_block(block, group, gradient, gradients, bits, space->scratch, before);
      gradient = before;
    }
    for (int64_t i = 0; i < group.count; ++i) {
      const Group alone{begin + i, 1, count};
      gradient = space->together + i * meeting_size;
      for (size_t block = meet; block-- > 0;) {
        float* before = space->not_this(gradient);
        return_block(block, alone, gradient, gradients, bits, space->scratch, before);
        gradient = before;
      }
      stem_.backward(gradient, space->scratch, out + alone.first * picture_size);
    }
  }
  give_back(std::move(space));
}

}  // namespace nowhere
