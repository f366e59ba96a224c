// What a training step costs, counted from the networks' descriptions: numbers to keep, multiplications,
// bytes to exchange. `train --dry-run` and `plan` count alike.
#pragma once

#include <cstdint>
#include <vector>

namespace nowhere {

// A layer with weights, and the norm after it.
struct LayerWork {
  int64_t parameters = 0;
  int64_t multiplications = 0;  // multiply-adds of a forward pass for one picture
};

// A network that learns.
struct NetworkWork {
  std::vector<LayerWork> layers;  // in the order of the forward pass
  int64_t activations = 0;        // numbers that a pass keeps of one picture

  int64_t parameters() const;
  int64_t multiplications() const;
};

// A network that the discriminator looks through.
struct FrozenWork {
  int64_t parameters = 0, multiplications = 0, activations = 0;
};

struct Workload {
  NetworkWork generator, discriminator;
  FrozenWork frozen;
  int64_t batch = 0;           // pictures a process
  int64_t size = 0;            // pixels of a picture's side
  bool averaged = false;       // the generator's weights are kept a second time, as an average
  uint64_t history_bytes = 0;  // of pictures that a checkpoint keeps

  // Multiply-adds of a step for one picture. A backward pass is two forward ones: gradients of inputs and of
  // weights. G: forward and backward. D: both on reals and on fakes; for G, forward and the gradients of
  // inputs. The frozen network: forward on reals and fakes, the gradients of inputs for G. A penalty on D's
  // gradients is not counted.
  int64_t multiplications() const;
  uint64_t gradient_bytes() const;    // that a process exchanges with the others in a step
  uint64_t device_bytes() const;      // of an accelerator that trains, in float32
  uint64_t memory_bytes() const;      // of a machine that trains on its CPU
  uint64_t checkpoint_bytes() const;  // the last one on the disk

 private:
  uint64_t training_bytes() const;
  uint64_t batch_bytes() const;
};

// Photographs that take part in an epoch: of each device, what fills whole batches.
int64_t images_of_epoch(int64_t images, int64_t batch, int devices);

}  // namespace nowhere
