#include "train/reference.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "data/drawn_source.h"
#include "data/loader.h"
#include "tensor/pictures.h"

namespace nowhere {

torch::Tensor reference_pictures(const Source& source, const std::vector<uint32_t>& photos,
                                 const TrainConfig& config, size_t count) {
  std::vector<uint32_t> order = drawn_order(source.photos(), photos, config.seed);
  order.resize(std::min(count, order.size()));
  const DrawnSource drawn(source, std::move(order));
  std::vector<uint32_t> all(drawn.photos().all.size());
  std::iota(all.begin(), all.end(), 0u);
  LoaderConfig loader = config.loader();
  loader.batch = static_cast<int>(all.size());
  loader.sample.noise = 0;
  loader.epochs = 1;
  loader.ahead = 2;
  Loader batches(drawn, Sampler(drawn.photos(), all, {.seed = config.seed, .shuffle = false}), loader,
                 {config.seed, 0, 0});
  const auto batch = batches.next();
  if (!batch) throw data_error("there is no photograph to compare with");
  return float_batch(*batch, loader.sample.size, config.model.nc).clone();
}

}  // namespace nowhere
