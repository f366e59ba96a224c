// How pictures are made from latent vectors: one interface, and the one place that chooses between its two
// backends.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

#include "image/image.h"
#include "model/generator_input.h"
#include "model/networks.h"

namespace nowhere {

// Pictures [n,S,S,nc] in [-1,1] on the CPU, the first of which is number `first` of all. May be called by
// several threads at once, for different pictures.
using TakePictures = std::function<void(int64_t first, const torch::Tensor& pictures)>;

class PictureBackend {
 public:
  virtual ~PictureBackend() = default;
  // A few at a time, so memory grows with what `take` keeps only. On the CPU a picture's bits depend on its
  // own latent vector alone. Called by one thread at a time.
  virtual void make(const GeneratorInput& input, const TakePictures& take) const = 0;
};

// The fast backend for a generator on the CPU all of whose layers it supports; LibTorch's network for all
// others, on the generator's device. 0 threads: as many as there are cores. The weights are those of now, but
// LibTorch's backend refers to the generator.
std::unique_ptr<PictureBackend> picture_backend(const Generator& generator, int threads = 0);

// All at once, at least one: [N,S,S,nc] in [-1,1]
torch::Tensor make_pictures(const PictureBackend& backend, const GeneratorInput& input);
std::vector<Image> make_images(const PictureBackend& backend, const GeneratorInput& input);

}  // namespace nowhere
