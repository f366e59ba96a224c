#include "train/reference.h"

#include <algorithm>

#include "core/error.h"
#include "data/loader.h"
#include "tensor/pictures.h"

namespace nowhere {

torch::Tensor reference_pictures(const Source& source, const std::vector<uint32_t>& photos,
                                 const TrainConfig& config, size_t count) {
  LoaderConfig loader = config.loader();
  loader.batch = static_cast<int>(std::min(count, photos.size()));
  loader.sample.noise = 0;
  loader.epochs = 1;
  loader.ahead = 2;
  Loader batches(source, Sampler(source.photos(), photos, {.seed = config.seed}), loader,
                 {config.seed, 0, 0});
  const auto batch = batches.next();
  if (!batch) throw data_error("there is no photograph to compare with");
  return float_batch(*batch, loader.sample.size, config.model.nc).clone();
}

}  // namespace nowhere
