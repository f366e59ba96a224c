#include "plan/workload.h"

namespace nowhere {
namespace {

constexpr uint64_t kFloat = sizeof(float);
constexpr uint64_t kChannels = 3;  // the loader's, whatever the network's

}  // namespace

int64_t NetworkWork::parameters() const {
  int64_t sum = 0;
  for (const LayerWork& layer : layers) sum += layer.parameters;
  return sum;
}

int64_t NetworkWork::multiplications() const {
  int64_t sum = 0;
  for (const LayerWork& layer : layers) sum += layer.multiplications;
  return sum;
}

int64_t Workload::multiplications() const {
  return 3 * generator.multiplications() + 8 * discriminator.multiplications() + 3 * frozen.multiplications;
}

uint64_t Workload::gradient_bytes() const {
  return kFloat * static_cast<uint64_t>(generator.parameters() + discriminator.parameters());
}

// Weights, gradients, two moments; the activations of a batch. D's passes on reals and fakes, G's and the
// frozen network's on the fakes are alive at once.
uint64_t Workload::training_bytes() const {
  constexpr int64_t kCopies = 4;
  const int64_t passes = 2 * discriminator.activations + frozen.activations + generator.activations;
  const int64_t numbers = kCopies * (generator.parameters() + discriminator.parameters()) +
                          (averaged ? generator.parameters() : 0) + frozen.parameters + batch * passes;
  return kFloat * static_cast<uint64_t>(numbers);
}

uint64_t Workload::batch_bytes() const {
  return kFloat * kChannels * static_cast<uint64_t>(batch * size * size);
}

uint64_t Workload::device_bytes() const {
  constexpr uint64_t kBatches = 2;  // one is trained on while the next arrives
  return training_bytes() + kBatches * batch_bytes();
}

uint64_t Workload::memory_bytes() const {
  constexpr uint64_t kBatchesAhead = 4;
  return training_bytes() + kBatchesAhead * batch_bytes() + history_bytes;
}

uint64_t Workload::checkpoint_bytes() const {
  constexpr int64_t kCopies = 3;  // weights, two moments
  const int64_t numbers = kCopies * (generator.parameters() + discriminator.parameters()) +
                          (averaged ? generator.parameters() : 0);
  return kFloat * static_cast<uint64_t>(numbers) + history_bytes;
}

int64_t images_of_epoch(int64_t images, int64_t batch, int devices) {
  const int64_t step = batch * devices;
  return images / step * step;
}

}  // namespace nowhere
