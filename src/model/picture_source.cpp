#include "model/picture_source.h"

#include <algorithm>

#include "model/generator_file.h"
#include "model/picture_backend.h"

namespace nowhere {
namespace {

std::unique_ptr<PictureBackend> load_backend(const RunReader& run, const CheckpointFile& file, int threads,
                                             ModelFacts& facts) {
  const LoadedGenerator loaded = load_generator(run, file);
  facts = loaded.facts;
  return picture_backend(loaded.generator, threads);
}

}  // namespace

struct PictureSource::Impl {
  std::unique_ptr<PictureBackend> backend;
};

PictureSource::PictureSource(const RunReader& run, const CheckpointFile& file, int threads)
    : impl_(new Impl{load_backend(run, file, threads, facts_)}) {}

PictureSource::~PictureSource() = default;

std::vector<Image> PictureSource::make(std::span<const Latent> latents) {
  constexpr size_t kFloatsAtOnce = 16'000'000;
  const auto side = static_cast<size_t>(facts_.picture_size);
  const size_t at_once = std::clamp<size_t>(kFloatsAtOnce / (side * side * kChannels), 16, 256);
  std::vector<Image> images;
  for (size_t begin = 0; begin < latents.size(); begin += at_once) {
    const size_t count = std::min(at_once, latents.size() - begin);
    std::ranges::move(make_images(*impl_->backend, to_input(latents.subspan(begin, count))),
                      std::back_inserter(images));
  }
  return images;
}

std::vector<Image> PictureSource::make_seeds(std::span<const uint64_t> seeds, double truncation) {
  std::vector<Latent> latents;
  for (uint64_t seed : seeds) latents.push_back(truncated(seed_latent(seed, facts_.latent_size), truncation));
  return make(latents);
}

}  // namespace nowhere
