#include "train/reference.h"

#include <algorithm>

#include "core/cpu.h"
#include "core/error.h"
#include "data/loader.h"

namespace nowhere {

torch::Tensor reference_pictures(const Source& source, const std::vector<uint32_t>& photos,
                                 const TrainConfig& config, size_t count) {
  LoaderConfig loader;
  loader.size = config.model.img_size;
  loader.batch = static_cast<int>(std::min(count, photos.size()));
  loader.augment = config.augment;
  loader.threads = config.workers > 0 ? config.workers : available_cores();
  loader.epochs = 1;
  loader.ahead = 2;
  Loader batches(source, Sampler(source.photos(), photos, {.seed = config.seed}), loader,
                 {config.seed, 0, 0});
  const auto batch = batches.next();
  if (!batch) throw data_error("there is no photograph to compare with");
  const int64_t size = loader.size;
  return torch::from_blob(const_cast<float*>(batch->floats),
                          {static_cast<int64_t>(batch->count), size, size, kChannels})
      .permute({0, 3, 1, 2})
      .clone();
}

}  // namespace nowhere
