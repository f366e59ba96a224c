// The scores from what was collected of the pictures.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "eval/feature_network.h"
#include "eval/held_out.h"
#include "eval/memorisation.h"
#include "eval/nearest.h"
#include "eval/parzen.h"
#include "eval/picture_sets.h"
#include "eval/sample_store.h"
#include "report/page.h"
#include "report/scores.h"

namespace nowhere {

// Of samples and of photographs in their place, on the same points and for the same grid of sigmas: the first
// `validation` points choose the sigma, and the rest are scored.
ParzenScores parzen_scores(const ParzenWindow& samples, const ParzenWindow& photographs,
                           const std::vector<double>& grid, int64_t validation);

// [N,S,S,3] uint8. The first photographs are compared with the samples, and one half of them with the other.
WassersteinScores wasserstein_scores(const torch::Tensor& real, const FloorHalves& halves,
                                     const torch::Tensor& generated);

FeatureScores feature_scores(const FeatureNetwork& network, const SampleStore& real,
                             const SampleStore& generated, const SampleStore& held_out, uint64_t seed);

// Thumbnails [N,768].
CollapseScores collapse_scores(const torch::Tensor& generated, const torch::Tensor& real, uint64_t seed);

// The nearest training photograph of every sample and of every held-out photograph, by thumbnails and by
// features.
class NearestPictures {
 public:
  // sequences: [M] int64, of each training photograph; undefined where they are not to be told apart.
  // Training photograph n is of sequence n modulo M: several crops of all follow each other.
  NearestPictures(const SampleStore& generated, const SampleStore& held_out, torch::Tensor sequences,
                  int64_t scratch_bytes);
  // Training photographs, the first of which is number `first`.
  void add(const FeatureChunk& pictures, int64_t first);
  std::vector<MemorisationScores> judge(const PictureSet& samples, const PictureSet& training) const;

 private:
  struct Space {
    bool of_features = false;  // else of thumbnails
    NearestNeighbours samples, held_out;
  };
  Nearness nearness() const { return sequences_.defined() ? Nearness::kRelative : Nearness::kPlain; }

  torch::Tensor sequences_;
  std::vector<Space> spaces_;
};

Figure comparison_figure(const torch::Tensor& real, const torch::Tensor& generated);

}  // namespace nowhere
