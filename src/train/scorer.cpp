#include "train/scorer.h"

#include <numeric>

#include "metric/sliced_wasserstein.h"
#include "model/picture_backend.h"
#include "train/reference.h"

namespace nowhere {

std::optional<double> Scorer::score(const Generator& shown, uint64_t epoch, const LogPoint& latest) {
  const bool logged = latest.epoch == epoch;
  switch (config_.keep_best) {
    case KeepBest::kDiversity:
      return logged ? std::optional(latest.diversity) : std::nullopt;
    case KeepBest::kGeneratorLoss:
      return logged ? std::optional(-latest.g_loss) : std::nullopt;
    case KeepBest::kSwd:
      return -distance(shown);
    case KeepBest::kNone:
      break;
  }
  return std::nullopt;
}

// The mean over the levels, on pictures of their own noise.
double Scorer::distance(const Generator& shown) {
  constexpr size_t kPictures = 256;
  if (!reference_.defined()) reference_ = reference_pictures(source_, photos_, config_, kPictures);
  const GeneratorInput input =
      draw_input(reference_.size(0), config_.model.nz, config_.seed, Purpose::kScore);
  const torch::Tensor fakes = make_pictures(*picture_backend(shown), input).permute({0, 3, 1, 2});
  const std::vector<double> levels = sliced_wasserstein(reference_, fakes);
  return std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(levels.size());
}

}  // namespace nowhere
