#include "train/ema.h"

#include <ATen/ops/_foreach_lerp.h>

#include <algorithm>
#include <cmath>

namespace nowhere {

double ema_keep(int64_t batch, int64_t images_seen, double half_life_images, double share_of_run) {
  const double half_life = std::min(half_life_images, share_of_run * static_cast<double>(images_seen));
  return std::pow(0.5, static_cast<double>(batch) / std::max(half_life, 1.0));
}

void update_ema(const Generator& now, Generator& average, double keep) {
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> from = now->parameters(), to = average->parameters();
  const std::vector<torch::Tensor> buffers = now->buffers(), averages = average->buffers();
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].is_floating_point()) {
      from.push_back(buffers[i]);
      to.push_back(averages[i]);
    } else {
      averages[i].copy_(buffers[i]);  // the count of batches
    }
  }
  at::_foreach_lerp_(to, from, 1 - keep);
}

}  // namespace nowhere
