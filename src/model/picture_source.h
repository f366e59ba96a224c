// Pictures from a checkpoint, for whoever does not want to see LibTorch: the commands and the server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/latent.h"
#include "image/image.h"
#include "model/config.h"

namespace nowhere {

struct GeneratorFacts {
  ModelConfig config;
  uint64_t epoch = 0;
  int64_t images = 0;  // seen in training; 0 when the file does not say
  int64_t parameters = 0;
  std::string digest;  // of the weights: 32 hexadecimal digits
  std::filesystem::path file;
};

// Of one thread at a time. Always on the CPU, so that a latent vector gives the same picture everywhere.
class PictureSource {
 public:
  // `path` and `epoch` as in checkpoint_file.
  // 0 threads: as many as there are cores.
  explicit PictureSource(const std::filesystem::path& path, std::optional<uint64_t> epoch = {},
                         int threads = 0);
  ~PictureSource();
  PictureSource(const PictureSource&) = delete;
  PictureSource& operator=(const PictureSource&) = delete;

  const GeneratorFacts& facts() const { return facts_; }
  // A picture depends on its own vector alone. Any number: memory grows with the result only.
  std::vector<Image> make(std::span<const Latent> latents);
  std::vector<Image> make_seeds(std::span<const uint64_t> seeds, double truncation = 1);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  GeneratorFacts facts_;
};

}  // namespace nowhere
