// The loader's batches as tensors on the device that trains.
#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <torch/torch.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include "data/loader.h"
#include "train/config.h"

namespace nowhere {

// A batch with all that the loader said of it.
struct DeviceBatch : Batch {
  DeviceBatch() = default;
  DeviceBatch(DeviceBatch&&) = default;
  DeviceBatch& operator=(DeviceBatch&&) = default;

  torch::Tensor pictures;               // [N,nc,S,S] in [-1,1], on the device
  torch::Tensor staged;                 // what they are copied from: a lazy device may do so late
  std::vector<uint32_t> photo_numbers;  // what `photos` points to where the loader's memory is not kept
};

// On a CPU the pictures are the loader's own memory, valid until the next call of next(). On an accelerator
// they are copies: while the step of one batch runs, the next one is on its way there, from page-locked
// memory and on CUDA on a stream of its own.
class DeviceBatches {
 public:
  enum class Ahead { kAuto, kAlways };  // kAlways: a batch ahead also on the CPU, for tests

  // The loader outlives it, and nobody else takes batches from it.
  DeviceBatches(Loader& loader, const TrainConfig& config, const torch::Device& device,
                Ahead ahead = Ahead::kAuto);

  // As the loader's: waits if need be, nothing after the last epoch, throws its errors after all batches that
  // came before them. To be used on the current stream.
  std::optional<DeviceBatch> next();

 private:
  // On its way to the device.
  struct Coming {
    DeviceBatch batch;
    std::optional<c10::Event> arrived;  // where a stream of its own brings it
  };

  void bring_next();
  std::optional<Coming> send_next();
  void send(const Batch& batch, DeviceBatch& sent) const;

  Loader& loader_;
  const int64_t size_, channels_;  // of the pictures: side, and channels
  const torch::Device device_;
  const at::MemoryFormat format_;
  const bool ahead_;
  std::optional<c10::Stream> stream_;  // copies run on it; none where the current one serves
  bool started_ = false;
  std::optional<Coming> coming_;
  std::exception_ptr failure_;  // of the loader, for the call after the batch that is coming
};

}  // namespace nowhere
