// Sets of pictures that are looked at in chunks, however many there are: photographs, and a generator's.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "data/augment.h"
#include "data/source.h"
#include "model/generator_file.h"
#include "model/picture_backend.h"

namespace nowhere {

// bytes: [n,S,S,3] uint8; the first of them is number `first` of the set
using ChunkReader = std::function<void(const torch::Tensor& bytes, int64_t first)>;

class PictureSet {
 public:
  virtual ~PictureSet() = default;
  virtual int64_t size() const = 0;
  // Reads all in order, the same chunks every time.
  virtual void read(const ChunkReader& reader) const = 0;
  // Some of them by number: [n,S,S,3] uint8
  virtual torch::Tensor some(const std::vector<int64_t>& numbers) const = 0;
};

// Photographs as training sees them. With several crops of each, those of one follow those of the other.
class Photographs : public PictureSet {
 public:
  struct Setting {
    int size = 64;      // pixels of a side
    bool grey = false;  // as a generator of one channel makes them: three equal ones
    AugmentConfig augment;
    int crops = 1;
    uint64_t seed = 0;
    int threads = 1;
  };
  // The source outlives the set.
  Photographs(const Source& source, std::vector<uint32_t> photos, Setting setting);

  int64_t size() const override;
  void read(const ChunkReader& reader) const override;
  torch::Tensor some(const std::vector<int64_t>& numbers) const override;

 private:
  struct Span {
    int batch = 1;                 // pictures at once
    uint64_t crop = 0, first = 0;  // where to begin: batch number `first` of this crop of each
    uint64_t crops = 1;            // the crops before which to end
  };
  // Reads until the end, or until the reader says that it has enough.
  void load(Span span, const std::function<bool(const torch::Tensor& bytes, int64_t first)>& reader) const;

  const Source& source_;
  std::vector<uint32_t> photos_;
  Setting setting_;
};

// Number i is the picture of seed i.
class Samples : public PictureSet {
 public:
  Samples(const LoadedGenerator& loaded, int64_t count)
      : backend_(picture_backend(loaded.generator)), facts_(loaded.facts), count_(count) {}

  int64_t size() const override { return count_; }
  void read(const ChunkReader& reader) const override;
  torch::Tensor some(const std::vector<int64_t>& numbers) const override;

 private:
  std::unique_ptr<PictureBackend> backend_;
  ModelFacts facts_;
  int64_t count_;
};

}  // namespace nowhere
