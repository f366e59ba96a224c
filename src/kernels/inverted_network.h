// A frozen network of inverted residual blocks as passes over plain memory: forward from pictures to maps of
// some blocks, backward from gradients of the maps to the pictures, never to weights. Each picture is
// computed by itself, so the caller may divide a batch among its threads: bits do not depend on how.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kernels/inverted_block.h"
#include "kernels/stem.h"

namespace nowhere {

struct InvertedNetworkWeights {
  StemShape stem;
  std::vector<float> stem_weights, stem_bias;  // [channels, 3, kernel, kernel]
  std::vector<InvertedBlockWeights> blocks;    // the first without an expansion, all others with one
  std::vector<size_t> maps;                    // ascending: blocks whose outputs are wanted; the last one too
};

// Pictures [N,3,S,S] of one batch.
struct PictureBatch {
  PictureView first;
  int64_t stride = 0, count = 0;

  PictureView operator[](int64_t picture) const {
    PictureView view = first;
    view.first += picture * stride;
    return view;
  }
};

// Of a batch, half-open: [begin, end).
struct PictureRange {
  int64_t begin = 0, end = 0;
};

// Gradient of a map [N,C,H,W], in numbers from one to the next; null: there is none.
struct MapGradient {
  const float* first = nullptr;
  int64_t picture_stride = 0, channel_stride = 0, row_stride = 0, column_stride = 0;
};

class InvertedNetwork {
 public:
  explicit InvertedNetwork(const InvertedNetworkWeights& weights);
  ~InvertedNetwork();
  InvertedNetwork(const InvertedNetwork&) = delete;
  InvertedNetwork& operator=(const InvertedNetwork&) = delete;

  // All that backward has to know of the forward pass of a batch.
  int64_t bit_bytes(int64_t count) const { return count * bit_bytes_ + kSpareBitBytes; }

  // Writes those of `range` into maps [N,H,W,C] each, and into bits [bit_bytes(N)] unless that is null.
  void forward(const PictureBatch& pictures, PictureRange range, std::span<float* const> maps,
               uint8_t* bits) const;
  // Writes those of `range` of a batch of `count` into out [N,S,S,3].
  void backward(std::span<const MapGradient> gradients, const uint8_t* bits, int64_t count,
                PictureRange range, float* out) const;

 private:
  // Pictures of a batch of `batch` that go through a block together.
  struct Group {
    int64_t first, count, batch;
  };
  struct Workspace;
  std::unique_ptr<Workspace> borrow() const;
  void give_back(std::unique_ptr<Workspace> space) const;

  template <class Byte>
  BlockBits<Byte> bits_of(size_t block, const Group& group, Byte* bits) const;
  void run_block(size_t block, const Group& group, const float* in, std::span<float* const> maps,
                 uint8_t* bits, float* scratch, float* out) const;
  void return_block(size_t block, const Group& group, const float* gradient,
                    std::span<const MapGradient> gradients, const uint8_t* bits, float* scratch,
                    float* out) const;
  void add_map_gradient(size_t block, const Group& group, std::span<const MapGradient> gradients,
                        float* out) const;

  Stem stem_;
  std::vector<InvertedBlock> blocks_;
  std::vector<std::optional<size_t>> map_of_;  // which of the maps a block makes
  std::vector<int64_t> bits_before_;  // for each block: of one picture, the bytes in front of its own
  int64_t bit_bytes_ = 0;
  size_t together_from_ = 0;  // the block from which on several pictures go together
  // Memory of passes that are over; a pass has its own while it runs.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace nowhere
