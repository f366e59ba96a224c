#include "train/device_batches.h"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <utility>

#include "device/assignment.h"
#include "tensor/pictures.h"

namespace nowhere {

DeviceBatches::DeviceBatches(Loader& loader, const TrainConfig& config, const torch::Device& device,
                             Ahead ahead)
    : loader_(loader),
      size_(config.model.img_size),
      channels_(config.model.nc),
      device_(device),
      format_(resolve_channels_last(config.channels_last, device) ? at::MemoryFormat::ChannelsLast
                                                                  : at::MemoryFormat::Contiguous),
      ahead_(!device.is_cpu() || ahead == Ahead::kAlways) {
  if (device_.is_cuda())
    stream_ = c10::impl::VirtualGuardImpl(device_.type()).getStreamFromGlobalPool(device_);
}

std::optional<DeviceBatch> DeviceBatches::next() {
  if (!ahead_) {
    const auto batch = loader_.next();
    if (!batch) return std::nullopt;
    DeviceBatch result;
    static_cast<Batch&>(result) = *batch;
    result.pictures = float_batch(*batch, size_, channels_).contiguous(format_);
    return result;
  }
  if (!std::exchange(started_, true)) bring_next();
  std::optional<Coming> here = std::exchange(coming_, std::nullopt);
  if (!here && failure_) std::rethrow_exception(failure_);
  if (!here) return std::nullopt;
  if (here->arrived) {
    const c10::Stream current = c10::impl::VirtualGuardImpl(device_.type()).getStream(device_);
    here->arrived->block(current);
    // Its memory was taken on the other stream, and is not to be used again before this one is done with it.
    here->batch.pictures.record_stream(current);
  }
  bring_next();
  return std::move(here->batch);
}

// Waits for the loader, not for the device.
void DeviceBatches::bring_next() {
  try {
    coming_ = send_next();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::optional<DeviceBatches::Coming> DeviceBatches::send_next() {
  const auto batch = loader_.next();
  if (!batch) return std::nullopt;
  Coming coming;
  static_cast<Batch&>(coming.batch) = *batch;
  coming.batch.floats = nullptr;
  coming.batch.photo_numbers.assign(batch->photos.begin(), batch->photos.end());
  coming.batch.photos = coming.batch.photo_numbers;
  if (!stream_) {
    send(*batch, coming.batch);
    return coming;
  }
  const c10::StreamGuard guard(*stream_);
  send(*batch, coming.batch);
  coming.arrived.emplace(device_.type());
  coming.arrived->record(*stream_);
  return coming;
}

// A copy that the loader's threads cannot reach, then the way to the device, for which nobody waits.
void DeviceBatches::send(const Batch& batch, DeviceBatch& sent) const {
  const torch::Tensor pictures = float_batch(batch, size_, channels_);
  sent.staged = torch::empty(
      pictures.sizes(),
      torch::TensorOptions(torch::kFloat).pinned_memory(!device_.is_cpu()).memory_format(format_));
  sent.staged.copy_(pictures);
  sent.pictures = sent.staged.to(device_, /*non_blocking=*/true);
}

}  // namespace nowhere
