#include "train/scorer.h"

#include <numeric>

#include "model/draws.h"
#include "model/pictures.h"
#include "model/sliced_wasserstein.h"
#include "train/reference.h"

namespace nowhere {

std::optional<double> Scorer::score(Generator& shown, const LogPoint& latest) {
  switch (config_.keep_best) {
    case KeepBest::kDiversity:
      return latest.diversity;
    case KeepBest::kGeneratorLoss:
      return -latest.g_loss;
    case KeepBest::kSwd:
      return -distance(shown);
    case KeepBest::kNone:
      break;
  }
  return std::nullopt;
}

// The mean over the levels, on pictures of their own noise.
double Scorer::distance(Generator& shown) {
  constexpr size_t kPictures = 256;
  if (!reference_.defined()) reference_ = reference_pictures(source_, photos_, config_, kPictures);
  const torch::NoGradGuard no_gradients;
  const Evaluating evaluating(*shown);
  const torch::Tensor z = draw_latents(reference_.size(0), config_.model.nz, config_.seed, Purpose::kScore);
  std::vector<torch::Tensor> fakes;
  for (const torch::Tensor& some : z.split(config_.batch_size))
    fakes.push_back(shown(some.to(device_)).to(torch::kCPU, torch::kFloat));
  const std::vector<double> levels = sliced_wasserstein(reference_, torch::cat(fakes));
  return std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(levels.size());
}

}  // namespace nowhere
