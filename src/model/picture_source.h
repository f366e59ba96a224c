// Pictures from a checkpoint, for whoever does not want to see LibTorch: the commands and the server.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "image/image.h"
#include "latent/latent.h"
#include "run/model_facts.h"
#include "run/run_reader.h"

namespace nowhere {

// Of one thread at a time. Always on the CPU, so that a latent vector gives the same picture everywhere.
class PictureSource {
 public:
  // A checkpoint that was found in the run. 0 threads: as many as there are cores. Throws a data error.
  PictureSource(const RunReader& run, const CheckpointFile& file, int threads = 0);
  ~PictureSource();
  PictureSource(const PictureSource&) = delete;
  PictureSource& operator=(const PictureSource&) = delete;

  const ModelFacts& facts() const { return facts_; }
  // A picture depends on its own vector alone. Any number: memory grows with the result only.
  std::vector<Image> make(std::span<const Latent> latents);
  std::vector<Image> make_seeds(std::span<const uint64_t> seeds, double truncation = 1);

 private:
  struct Impl;
  ModelFacts facts_;  // before impl_: loading sets both
  std::unique_ptr<Impl> impl_;
};

}  // namespace nowhere
