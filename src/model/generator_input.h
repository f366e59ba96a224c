// What a generator makes pictures from.
#pragma once

#include <torch/torch.h>

#include <initializer_list>
#include <span>
#include <vector>

#include "core/random.h"
#include "latent/latent.h"

namespace nowhere {

struct GeneratorInput {
  torch::Tensor latent;  // [N,nz,1,1], standard normal
  torch::Tensor label;   // [N], a class each; undefined for a generator without classes

  int64_t count() const { return latent.size(0); }
  GeneratorInput to(const torch::Device& device) const;
  GeneratorInput narrow(int64_t begin, int64_t count) const;
};

// Drawn on the CPU, so it is the same whatever device trains on it.
GeneratorInput draw_input(int64_t count, int64_t latent_size, uint64_t seed, Purpose purpose,
                          std::initializer_list<uint64_t> names = {});

// Of latent vectors at hand, all of one size.
GeneratorInput to_input(std::span<const Latent> latents);

}  // namespace nowhere
