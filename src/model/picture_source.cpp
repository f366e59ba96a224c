#include "model/picture_source.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "model/fast_generator.h"
#include "model/generator_file.h"
#include "model/pictures.h"
#include "model/tensors.h"

namespace nowhere {
namespace {

// Names, shapes and numbers of all tensors, in the order of the network.
std::string digest_of(const Generator& generator) {
  uint64_t first = 1, second = 2;
  for (const auto& [name, value] : state_dict(*generator).entries) {
    const TensorData& tensor = *value.tensor();
    const std::string text = *name.text() + shape_text(tensor.shape);
    for (uint64_t* hash : {&first, &second}) *hash = hash64(tensor.bytes(), hash64(text, *hash));
  }
  return fmt::format("{:016x}{:016x}", first, second);
}

}  // namespace

struct PictureSource::Impl {
  FastGenerator generator;
};

PictureSource::PictureSource(const std::filesystem::path& path, std::optional<uint64_t> epoch, int threads) {
  LoadedGenerator loaded = load_generator(path, epoch);
  if (loaded.config.nc != kChannels)
    throw data_error(
        fmt::format("{}: its generator makes pictures of {} channels; this program shows those of {}",
                    printable(loaded.file), loaded.config.nc, kChannels));
  impl_ = std::make_unique<Impl>(FastGenerator(loaded.generator, threads));
  facts_ = {loaded.config,
            loaded.epoch,
            loaded.images,
            count_parameters(*loaded.generator),
            digest_of(loaded.generator),
            loaded.file};
}

PictureSource::~PictureSource() = default;

std::vector<Image> PictureSource::make(std::span<const Latent> latents) {
  constexpr size_t kFloatsAtOnce = 16'000'000;
  const auto side = static_cast<size_t>(facts_.config.img_size);
  const size_t at_once = std::clamp<size_t>(kFloatsAtOnce / (side * side * kChannels), 16, 256);
  std::vector<Image> images;
  for (size_t begin = 0; begin < latents.size(); begin += at_once) {
    const size_t count = std::min(at_once, latents.size() - begin);
    for (Image& image : impl_->generator.images(to_tensor(latents.subspan(begin, count))))
      images.push_back(std::move(image));
  }
  return images;
}

std::vector<Image> PictureSource::make_seeds(std::span<const uint64_t> seeds, double truncation) {
  std::vector<Latent> latents;
  for (uint64_t seed : seeds) latents.push_back(truncated(seed_latent(seed, facts_.config.nz), truncation));
  return make(latents);
}

}  // namespace nowhere
