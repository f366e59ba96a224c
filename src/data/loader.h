// Batches of pixels, decoded ahead of the training thread, in an order that depends on the seed alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/ring.h"
#include "core/trace.h"
#include "data/normal_table.h"
#include "data/read_ahead.h"
#include "data/sample.h"
#include "data/sampler.h"
#include "data/source.h"

namespace nowhere {

enum class PixelType { kFloat, kByte };  // floats in [-1, 1], or 0 to 255

struct LoaderConfig {
  SampleConfig sample;
  int batch = 64;
  PixelType pixels = PixelType::kFloat;
  int threads = 1;
  int ahead = 4;          // batches held ready or in the making
  bool drop_last = true;  // leave out what does not fill a batch at the end of an epoch
  uint64_t epochs = 0;    // 0: no end
  // How far ahead of the samples that are being read the source is told of those to come. 0 batches: not at
  // all.
  int read_ahead = 8;  // batches
  uint64_t read_ahead_bytes = uint64_t{64} << 20;
  Trace* trace = nullptr;  // of the threads' work, for a profile; outlives the loader
};

// Where a run is: all that must be saved to go on with the very next batch.
struct LoaderState {
  uint64_t seed = 0;
  uint64_t epoch = 0;
  uint64_t batches = 0;  // of the epoch, consumed
};

// A batch in the loader's memory, valid until the next call of next().
struct Batch {
  // [count, size, size, 3]: what LibTorch calls [N,3,H,W] in channels_last. 64-byte aligned.
  const float* floats = nullptr;
  const uint8_t* bytes = nullptr;
  size_t count = 0;
  uint64_t epoch = 0;
  uint64_t number = 0;  // in the epoch
  bool last_of_epoch = false;
  std::span<const uint32_t> photos;  // which, in the source's table
  size_t replaced = 0;               // of them that could not be read: another stands in
};

// What happened so far, on all threads.
struct LoaderCounts {
  uint64_t replaced = 0;      // photographs that could not be read, with another in their place
  double read_seconds = 0;    // summed over threads: bytes of files or records
  double decode_seconds = 0;  // bytes to pixels
  double resize_seconds = 0;  // crop, resize, convert
  double wait_seconds = 0;    // of the consumer
  std::string first_failure;  // of the replaced ones
};

class Loader {
 public:
  // The source outlives the loader. `state.seed` is the seed of everything drawn here. Throws a data error
  // when the photographs do not fill one batch.
  Loader(const Source& source, Sampler sampler, LoaderConfig config, LoaderState state);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // The next batch, waiting for it if need be. Nothing after the last epoch.
  std::optional<Batch> next();

  LoaderCounts counts() const;
  uint64_t batches_per_epoch() const { return batches_per_epoch_; }

 private:
  struct Slot;
  struct Worker;
  using Order = std::shared_ptr<const EpochOrder>;
  // Where a sample stands in its epoch.
  struct Place {
    uint64_t epoch, batch;
    size_t in_batch;
  };

  void run();
  Place place_of(uint64_t job) const;
  std::optional<uint32_t> photo_of(uint64_t job);
  uint64_t end_of_read_ahead(uint64_t job) const;
  void fill(Worker& worker, uint64_t job);
  PhotoFrame read_frame(Worker& worker, uint64_t epoch, uint32_t photo);
  void make_sample(Worker& worker, uint64_t epoch, uint32_t photo, Slot& slot, size_t place);
  Order order(uint64_t epoch);
  size_t batch_size(uint64_t number) const;

  const Source& source_;
  const Sampler sampler_;
  const LoaderConfig config_;
  const LoaderState start_;
  const size_t sample_values_;  // bytes or floats
  const uint64_t batches_per_epoch_;
  const uint64_t jobs_;                        // samples of all batches to come
  std::unique_ptr<const NormalTable> normal_;  // null without noise
  uint64_t given_ = 0;                         // batches; the consumer's
  bool holding_ = false;
  double wait_seconds_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  Order orders_[2];           // of an even and an odd epoch
  uint64_t order_epochs_[2] = {~uint64_t{0}, ~uint64_t{0}};
  LoaderCounts counts_;

  ReadAhead read_ahead_;
  std::vector<Slot> slots_;
  OrderedRing ring_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace nowhere
